/** The bounds of one exchange with the PDP. */
export interface Limits {
  /** For the whole exchange, in milliseconds. */
  readonly timeout: number;
  /** For the answer, as it comes and when decompressed, in bytes. */
  readonly maxAnswerBytes: number;
}
