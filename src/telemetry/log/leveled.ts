import type { LogLevel } from './level.ts';

/**
 * The fields of a message. Errors print their name, message, code, stack and cause; payload values, secrets and tokens
 * do not belong here. `time`, `level` and `message` are reserved for the entry itself.
 */
type LogFields = Readonly<Record<string, unknown>>;

/** The log as the service sees it. Logging never throws and never waits. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;

  /** The same log, with these fields in every entry; an entry's own fields win. */
  child(fields: LogFields): Logger;

  /** Whether an entry of the level would be written, for messages that are costly to make. */
  isLevelEnabled(level: LogLevel): boolean;
}

/** The log of the process. Its creator also sets the level and closes it. */
export interface RootLogger extends Logger {
  /** Changes what is written from now on, for every child too. */
  setLevel(level: LogLevel): void;

  /** Resolves when everything logged so far is written. What is logged afterwards is dropped. */
  close(): Promise<void>;
}

/** Writes an entry. */
export type Write = (level: LogLevel, message: string, context: LogFields, fields: LogFields) => void;

const NO_FIELDS: LogFields = {};

/** One for each request, so its methods are those of a class. */
class ContextLogger implements Logger {
  readonly isLevelEnabled: (level: LogLevel) => boolean;
  readonly #write: Write;
  readonly #context: LogFields;

  constructor(write: Write, isLevelEnabled: (level: LogLevel) => boolean, context: LogFields) {
    this.#write = write;
    this.isLevelEnabled = isLevelEnabled;
    this.#context = context;
  }

  error(message: string, fields?: LogFields): void {
    this.#log('error', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#log('warn', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#log('info', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#log('debug', message, fields);
  }

  child(fields: LogFields): Logger {
    return new ContextLogger(this.#write, this.isLevelEnabled, { ...this.#context, ...fields });
  }

  #log(level: LogLevel, message: string, fields: LogFields = NO_FIELDS): void {
    if (this.isLevelEnabled(level)) this.#write(level, message, this.#context, fields);
  }
}

/** A log that hands on the entries of the levels that are enabled. */
export function leveled(write: Write, isLevelEnabled: (level: LogLevel) => boolean): Logger {
  const root = new ContextLogger(write, isLevelEnabled, NO_FIELDS);
  return {
    error: (message, fields) => root.error(message, fields),
    warn: (message, fields) => root.warn(message, fields),
    info: (message, fields) => root.info(message, fields),
    debug: (message, fields) => root.debug(message, fields),
    child: (fields) => root.child(fields),
    isLevelEnabled,
  };
}
