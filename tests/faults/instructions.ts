/** What a test asks of the process of the service. It answers with a measurement. */
export interface Instruction {
  /** How far the wall clock is to be off, in milliseconds. */
  readonly clock?: number;
}

/** The memory of the process, in bytes, and what keeps its event loop going. */
export interface Measurement {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  readonly resources: readonly string[];
}
