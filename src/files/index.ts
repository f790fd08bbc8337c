/** Files that are read again when they change. */
export { MaskKeysError, openMaskKeys, type MaskKeyFiles } from './mask-keys.ts';
export { certificatesIn, pemProblems } from './pem.ts';
export { readBounded } from './read-bounded.ts';
export { whyUnreadable, whyUnwritable } from './unreadable.ts';
export { watchFiles, watchSettledFiles, type FileWatch } from './watch.ts';
