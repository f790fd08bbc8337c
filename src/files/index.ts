/** Files that are read again when they change. */
export { MaskKeysError, openMaskKeys, type MaskKeyFiles } from './mask-keys.ts';
export { certificatesIn, pemProblems } from './pem.ts';
export { lookAt, mayBeBeingWritten, whenQuiet, type Sight } from './quiet.ts';
export { readBounded, readRegular, type FileReader } from './read-bounded.ts';
export { unlessKnown } from './unless-known.ts';
export { whyUnreadable, whyUnwritable } from './unreadable.ts';
export { watchFiles, type FileWatch } from './watch.ts';
