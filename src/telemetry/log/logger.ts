import winston from 'winston';
import { now } from './clock.ts';
import { Delivery } from './delivery.ts';
import { LOG_LEVELS, type LogFormat, type LogLevel } from './level.ts';
import { leveled, type RootLogger, type Write } from './leveled.ts';
import { RENDERERS } from './render.ts';
import { streamSink, type LogSink } from './sink.ts';
import { SinkTransport } from './sink-transport.ts';

interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** The destination of the lines; standard output unless given. */
  readonly sink?: LogSink;
}

/** Its messages are whole lines. */
function createWinston({ level, format }: LoggerOptions, sink: LogSink): winston.Logger {
  return winston.createLogger({
    level,
    levels: Object.fromEntries(LOG_LEVELS.map((name, rank) => [name, rank])),
    format: winston.format.printf(({ message }) => String(message)),
    transports: [new SinkTransport(new Delivery(sink, format))],
  });
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

  return {
    ...leveled(write, isLevelEnabled),
    setLevel: (level) => {
      log.level = level;
      least = LOG_LEVELS.indexOf(level);
    },
    close: () => (closed ??= finished(log).then(() => sink.close())),
  };
}
