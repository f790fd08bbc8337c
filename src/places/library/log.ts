import process from 'node:process';
import {
  loadLogger,
  type LogFormat,
  type Logger,
  type LogLevel,
  plainFields,
} from '../../telemetry/log/index.ts';
import type { EnforcerLog } from './api.ts';

interface LogConfiguration {
  readonly level: LogLevel;
  readonly format: LogFormat;
}

/** The log of an enforcer: the application's, or else standard error. Standard output belongs to the application. */
export async function libraryLog(
  configuration: LogConfiguration,
  given: EnforcerLog | undefined,
): Promise<Logger> {
  if (given !== undefined) return loggerOn(given, {});
  const { createLogger, streamSink } = await loadLogger();
  return createLogger({ ...configuration, sink: streamSink(process.stderr) });
}

/** The name of the warning. */
const WARNING = 'EnforcerLogWarning';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The application's logger, which decides what it writes. An error that it throws becomes a warning of the process: it must not refuse a
 * payload, or end the application when a file has changed. It gets errors as plain data: as JSON, a logger writes an error as `{}`.
 */
function loggerOn(log: EnforcerLog, context: Fields): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: Fields = {}): void => {
      try {
        log[level](message, plainFields({ ...context, ...fields }));
      } catch (error) {
        process.emitWarning(`The log of the enforcer failed: ${String(error)}`, WARNING);
      }
    };
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    child: (fields) => loggerOn(log, { ...context, ...fields }),
    isLevelEnabled: () => true,
  };
}
