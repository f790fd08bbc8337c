/** Something that runs until it is stopped. */
export interface Running {
  /** Announces that it runs. Call it once it can be stopped, because a reader of the announcement may stop it. */
  announce(): Promise<void>;
  /**
   * Finishes what is under way and lets go of everything.
   *
   * @returns whether everything was finished; else something had to be cut off
   */
  stop(reason: string): Promise<boolean>;
  /** Has `stop`, before or after it is called, not wait until callers have gone elsewhere. */
  hurry?(): void;
  /** Opens the log file again by its name; absent if the log is not a file. */
  reopenLog?(): Promise<void>;
  /** Logs everything from now on, or only the configured level again; absent if the level cannot be changed. */
  setDebug?(on: boolean): void;
}
