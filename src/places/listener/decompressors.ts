import type { Transform } from 'node:stream';
// Not by name: a Node.js without Zstandard would fail to link the library, before it can say that it is too old.
import zlib from 'node:zlib';

/** What comes after the compressed data is an error, not lost. In `gzip`, it always is one, unless it is another member. */
const WHOLE = { rejectGarbageAfterEnd: true };

/** For each content coding that can be undone, what undoes it once. */
export const decompressors = {
  gzip: () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(WHOLE),
  br: () => zlib.createBrotliDecompress(WHOLE),
  zstd: () => zlib.createZstdDecompress(WHOLE),
} satisfies Record<string, () => Transform>;
