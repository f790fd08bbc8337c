import type { BodyFormat, ContentCoding, RecordFormat, RecordPiece } from '../answer/index.ts';
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
  /** The fields that upstream must not get. */
  readonly removedFields: readonly string[];
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
  /** Takes the place of one stream instead. @throws ServiceError `overloaded` */
  becomeStream(): void;
  /** Counts the bytes of the body. @throws ServiceError `response-not-enforceable` or `overloaded` if they are too many */
  hold(bytes: number): void;
  /** Resolves when the PDP has decided, if it is asked ahead of the body. @throws ServiceError if it has not */
  decided(): Promise<void>;
  /** Enforces a whole body. @throws ServiceError if that is impossible */
  enforce(body: Buffer, format: BodyFormat): Promise<MaskedBody>;
  /**
   * Enforces a stream of records as it arrives.
   *
   * @returns what is sent for it; each piece is good until the next one is asked for. It throws a ServiceError at a record that cannot be enforced, and has no byte of that.
   */
  enforceRecords(
    chunks: AsyncIterable<Buffer>,
    format: RecordFormat,
    coding: ContentCoding | undefined,
  ): AsyncIterable<RecordPiece>;
}

export interface MaskedBody {
  /** In chunks. */
  readonly chunks: readonly Buffer[];
  /** Fields of the answer that say what was changed; none unless the configuration has `report`. */
  readonly fields: Fields;
}
