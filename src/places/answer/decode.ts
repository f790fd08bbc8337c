import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Coding } from './head.ts';
import { notEnforceable } from './head.ts';

const DECODERS: Readonly<Record<Coding, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * Decodes a body.
 *
 * @param check gets the number of bytes so far, and throws to stop
 * @throws ServiceError `response-not-enforceable` if the body is not in its content encoding; what `check` throws
 */
export async function decodeBody(
  body: Buffer,
  coding: Coding,
  check: (bytes: number) => void,
): Promise<Buffer> {
  const decoder = DECODERS[coding]();
  const pieces: Buffer[] = [];
  let bytes = 0;
  Readable.from([body]).pipe(decoder);
  for await (const piece of withReadableErrors(decoder)) {
    bytes += piece.length;
    check(bytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function* withReadableErrors(decoder: Transform): AsyncGenerator<Buffer> {
  const iterator: AsyncIterator<Buffer> = decoder[Symbol.asyncIterator]();
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      const next = await iterator.next().catch(() => {
        throw notEnforceable('cannot be decompressed');
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    decoder.destroy();
  }
}
