/** What the primary process tells its workers to do. */
export const STOP = 'stop';
export const REOPEN_LOG = 'reopen-log';
