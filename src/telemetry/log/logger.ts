import winston from 'winston';
import { now } from './clock.ts';
import { LOG_LEVELS, type LogFormat, type LogLevel } from './level.ts';
import { RENDERERS } from './render.ts';
import { streamSink, type LogSink } from './sink.ts';
import { SinkTransport } from './sink-transport.ts';

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

interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** The destination of the lines; standard output unless given. */
  readonly sink?: LogSink;
}

type Write = (level: LogLevel, message: string, context: LogFields, fields: LogFields) => void;

function lossNotice(format: LogFormat, lost: number): string {
  return RENDERERS[format]({
    time: now(),
    level: 'warn',
    message: 'Log entries lost',
    context: {},
    fields: { lostSinceStart: lost },
  });
}

/** Its messages are whole lines. */
function createWinston({ level, format }: LoggerOptions, sink: LogSink): winston.Logger {
  return winston.createLogger({
    level,
    levels: Object.fromEntries(LOG_LEVELS.map((name, rank) => [name, rank])),
    format: winston.format.printf(({ message }) => String(message)),
    transports: [new SinkTransport(sink, (lost) => lossNotice(format, lost))],
  });
}

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
    // winston would format the entry before it looks at the level.
    if (this.isLevelEnabled(level)) this.#write(level, message, this.#context, fields);
  }
}

async function finished(log: winston.Logger): Promise<void> {
  await new Promise<void>((resolve) => void log.once('finish', () => resolve()).end());
}

/**
 * Creates the log of the process, one line for each entry.
 *
 * @param options the least urgent level to write, the format, and the sink that gets the lines
 */
export function createLogger(options: LoggerOptions): RootLogger {
  const sink = options.sink ?? streamSink(process.stdout);
  const log = createWinston(options, sink);
  let closed: Promise<void> | undefined;
  let least = LOG_LEVELS.indexOf(options.level);
  const isLevelEnabled = (level: LogLevel): boolean =>
    closed === undefined && LOG_LEVELS.indexOf(level) <= least;
  const render = RENDERERS[options.format];
  const write: Write = (level, message, context, fields) =>
    void log.log({ level, message: render({ time: now(), level, message, context, fields }) });
  const root = new ContextLogger(write, isLevelEnabled, NO_FIELDS);

  return {
    error: (message, fields) => root.error(message, fields),
    warn: (message, fields) => root.warn(message, fields),
    info: (message, fields) => root.info(message, fields),
    debug: (message, fields) => root.debug(message, fields),
    child: (fields) => root.child(fields),
    isLevelEnabled,
    setLevel: (level) => {
      log.level = level;
      least = LOG_LEVELS.indexOf(level);
    },
    close: () => (closed ??= finished(log).then(() => sink.close())),
  };
}
