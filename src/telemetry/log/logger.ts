import winston from 'winston';
import { LOG_LEVELS, type LogFormat, type LogLevel } from './level.ts';
import { plainFields } from './plain.ts';
import { RENDERERS, type LogEntry } from './render.ts';
import { streamSink, type LogSink } from './sink.ts';
import { Writable } from 'node:stream';

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

function entryOf(info: winston.Logform.TransformableInfo): LogEntry {
  return {
    time: String(info['timestamp']),
    level: info.level,
    message: String(info.message),
    context: plainFields(info['context']),
    fields: plainFields(info['fields']),
  };
}

function lossNotice(format: LogFormat, lost: number): string {
  return RENDERERS[format]({
    time: new Date().toISOString(),
    level: 'warn',
    message: 'Log entries lost',
    context: {},
    fields: { lostSinceStart: lost },
  });
}

function createWinston({ level, format }: LoggerOptions, sink: LogSink): winston.Logger {
  const stream = deliverTo(sink, (lost) => lossNotice(format, lost));
  return winston.createLogger({
    level,
    levels: Object.fromEntries(LOG_LEVELS.map((name, rank) => [name, rank])),
    format: winston.format.combine(
      winston.format.timestamp(),
      winston.format.printf((info) => RENDERERS[format](entryOf(info))),
    ),
    transports: [new winston.transports.Stream({ stream, eol: '' })],
  });
}

function loggerOn(write: Write, isLevelEnabled: (level: LogLevel) => boolean, context: LogFields): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      // winston would format the entry before it looks at the level.
      if (isLevelEnabled(level)) write(level, message, context, fields);
    };
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    child: (fields) => loggerOn(write, isLevelEnabled, { ...context, ...fields }),
    isLevelEnabled,
  };
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
  const isLevelEnabled = (level: LogLevel): boolean => closed === undefined && log.isLevelEnabled(level);
  const write: Write = (level, message, context, fields) => void log.log({ level, message, context, fields });

  return {
    ...loggerOn(write, isLevelEnabled, {}),
    setLevel: (level) => {
      log.level = level;
    },
    close: () => (closed ??= finished(log).then(() => sink.close())),
  };
}

/**
 * The stream that winston writes to: hands each line to the sink at once. If lines were lost and later ones got
 * through, a notice follows, so that the log itself shows the gap.
 *
 * @param notice the line for a number of lines lost since the start
 */
function deliverTo(sink: LogSink, notice: (lost: number) => string): Writable {
  let reported = 0;
  let seen = 0;

  function reportLoss(): void {
    const { lost } = sink;
    // While the count still grows, the notice would be lost as well.
    if (lost > reported && lost === seen) {
      reported = lost;
      sink.write(notice(lost));
    }
    seen = lost;
  }

  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      reportLoss();
      sink.write(line);
      done();
    },
  });
}
