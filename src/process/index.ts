/** The process: the command line, signals, workers. */
export { run } from './run.ts';
