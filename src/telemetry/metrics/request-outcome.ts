import type { ErrorCode } from '../../errors.ts';

/** What enforcement did to one payload. */
export interface EnforcementCounts {
  readonly records: number;
  /** Properties. */
  readonly masked: number;
  readonly set: number;
  readonly created: number;
  readonly removedProperties: number;
  /** Records. */
  readonly removed: number;
  readonly skipped: number;
  /** Values. */
  readonly unreadable: number;
}

/** How a request ended. The only text of the caller is `method`, and Node knows only registered methods. */
export interface RequestOutcome {
  readonly method: string;
  /** The path of the route that handled it, or `unknown`. */
  readonly route: string;
  /** Undefined if the caller disconnected, or was cut off, before the answer was sent. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** Bytes of the body, after any decompression; undefined if it was not read. */
  readonly requestBytes: number | undefined;
  readonly responseBytes: number;
  readonly counts: EnforcementCounts | undefined;
  readonly error: ErrorCode | undefined;
}
