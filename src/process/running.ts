/** Something that runs until it is told to stop. */
export interface Running {
  /** Tells that it runs: to be called once it can be stopped, because whoever reads that may stop it. */
  announce(): Promise<void>;
  /**
   * Finishes what is under way and lets go of everything.
   *
   * @returns whether everything was finished; else something had to be cut off
   */
  stop(reason: string): Promise<boolean>;
  /** Has `stop`, before or after it is called, not wait until callers have gone elsewhere. */
  hurry?(): void;
  /** Goes on in a new log file; absent where the log is no file. */
  reopenLog?(): Promise<void>;
  /** Logs everything from now on, or only what is configured again; absent where that cannot be changed. */
  setDebug?(on: boolean): void;
}
