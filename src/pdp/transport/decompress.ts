import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';

type Decoder = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

const gzip: Decoder = promisify(gunzip);
const zlib: Decoder = promisify(inflate);
const rawDeflate: Decoder = promisify(inflateRaw);
const brotli: Decoder = promisify(brotliDecompress);

/** Some servers leave out the zlib header that `deflate` asks for (RFC 9110 §8.4.1.2). */
const deflate: Decoder = (bytes, options) => (hasZlibHeader(bytes) ? zlib : rawDeflate)(bytes, options);

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', deflate],
  ['br', brotli],
]);

/**
 * Undoes one content encoding. Axios is not left to do it, because it takes what a truncated stream held so far for the
 * whole.
 *
 * @param encoding the value of `Content-Encoding`, undefined or `identity` where there is none
 * @param maxBytes the most that the result may have
 * @throws Error where the encoding is unknown, the bytes are not in it or end early, or the result would be larger; its
 *   `code` is then `ERR_BUFFER_TOO_LARGE`
 */
export async function decompressed(
  bytes: Uint8Array,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return bytes;
  const decoder = DECODERS.get(name);
  if (decoder === undefined) throw new Error('unknown content encoding');
  return decoder(bytes, { maxOutputLength: maxBytes });
}

/** RFC 1950 §2.2: method 8, and a check number that makes the two bytes a multiple of 31. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}
