/** The log. */
export { escapeUnprintable } from './escape.ts';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './level.ts';
export type { FileSink } from './file-sink.ts';
export type { Logger, RootLogger } from './leveled.ts';
export { createLineLogger } from './line-logger.ts';
export { plainFields } from './plain.ts';

/** Writes the log. */
export const loadLogger = () => import('./writing.ts');
