import type { Counts } from '../../enforcement/index.ts';
import type { ErrorCode } from '../../errors.ts';

/** What became of a request. Nothing in it is the caller's own text but `method`, which Node has only known ones of. */
export interface Outcome {
  readonly method: string;
  /** The path of the route that handled it, or `unknown`. */
  readonly route: string;
  /** Undefined where the caller had gone, or was cut off, before the answer was sent. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** Bytes of the body, behind any decompression; undefined where it was not read. */
  readonly requestBytes: number | undefined;
  readonly responseBytes: number;
  readonly counts: Counts | undefined;
  readonly error: ErrorCode | undefined;
}
