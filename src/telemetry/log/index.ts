/** The log. */
export { escapeUnprintable } from './escape.ts';
export { openFileSink, type FileSink } from './file-sink.ts';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './level.ts';
export { createLogger, type Logger, type RootLogger } from './logger.ts';
export { streamSink } from './sink.ts';
