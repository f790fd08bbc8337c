/** Writes the log, to streams and to files. */
export { openFileSink } from './file-sink.ts';
export { createLogger } from './logger.ts';
export { streamSink } from './sink.ts';
