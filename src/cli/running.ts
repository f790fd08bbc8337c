/** Something that runs until it is told to stop. */
export interface Running {
  /** Finishes what is under way and lets go of everything. */
  stop(reason: string): Promise<void>;
  /** Goes on in a new log file; absent where the log is no file. */
  reopenLog?(): Promise<void>;
}
