/** What the primary process tells its workers to do. */
export const STOP = 'stop';
export const REOPEN_LOG = 'reopen-log';
export const LOG_EVERYTHING = 'log-everything';
export const LOG_AS_CONFIGURED = 'log-as-configured';
