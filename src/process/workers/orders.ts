/** A worker's message to the primary process: all its ports are open. */
export const READY = 'ready';

/** Messages from the primary process to its workers. */
export const STOP = 'stop';
/** Not to wait until callers have gone elsewhere. */
export const HURRY = 'hurry';
export const REOPEN_LOG = 'reopen-log';
export const LOG_EVERYTHING = 'log-everything';
export const LOG_AS_CONFIGURED = 'log-as-configured';
