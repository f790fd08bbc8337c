import type { Fields, ProcessingRequest } from './protocol/request.ts';

/** The head of a request as Envoy sends it. */
export interface RequestHead {
  readonly method: string;
  /** The target: path and query. */
  readonly path: string;
  /** Without pseudo fields, such as `:path`. */
  readonly fields: Fields;
  readonly metadata: ProcessingRequest['metadata'];
}

/** What becomes of the answer to a request. */
export type Admission = PassingAdmission | EnforcingAdmission;

interface PassingAdmission {
  readonly treatment: 'pass';
}

export interface EnforcingAdmission {
  readonly treatment: 'enforce';
  /** Whether bodies that are not JSON pass. */
  readonly passesNonJson: boolean;
  /** The header fields that say who the caller is. */
  readonly identityHeaders: readonly string[];
  /** The fields that upstream must not get. */
  readonly removedFields: readonly string[];
  /** Takes the place of one answer among those in progress. @throws ServiceError `overloaded` */
  enter(): void;
  /** Counts the bytes of the body. @throws ServiceError `response-not-enforceable` or `overloaded` if they are too many */
  hold(bytes: number): void;
  /** @throws ServiceError if the payload cannot be enforced */
  enforce(payload: Buffer): Promise<MaskedBody>;
}

export interface MaskedBody {
  /** In chunks. */
  readonly chunks: readonly Buffer[];
  /** Fields of the answer that say what was changed; none unless the configuration has `report`. */
  readonly fields: Fields;
}
