import type { BodyPart } from './protocol/request.ts';

/** Masks the body of an answer, and sends it on. */
export interface AnswerBody {
  /** Takes a part. Resolves when the next one is wanted. @throws ServiceError if the body cannot be enforced */
  take(part: BodyPart): Promise<void>;
  /**
   * Sends what is left, now that all parts have arrived.
   *
   * @param last whether no trailers follow
   * @throws ServiceError if the body cannot be enforced
   */
  end(last: boolean): Promise<void>;
  /** Nothing more of the body is wanted. */
  close(): void;
}
