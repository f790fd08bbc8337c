import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ServiceError } from '../../../errors.ts';

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: ReadonlyMap<unknown, Decoder> = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * A body as it was before a compression middleware.
 *
 * @param encoding the `Content-Encoding`
 * @param limit the longest body, in bytes
 * @throws ServiceError `response-not-enforceable` if it cannot be read
 */
export async function decoded(body: Buffer, encoding: unknown, limit: number): Promise<Buffer> {
  const name = typeof encoding === 'string' ? encoding.trim().toLowerCase() : encoding;
  if (name === undefined || name === '' || name === 'identity') return body;
  const decode = DECODERS.get(name);
  if (decode === undefined) throw unreadable('an encoding that is not known');
  return decode(body, { maxOutputLength: limit }).catch(() => {
    throw unreadable(`an encoding that cannot be undone, or more than ${limit} bytes (maxBody)`);
  });
}

function unreadable(what: string): ServiceError {
  return new ServiceError('response-not-enforceable', `The response has ${what}.`);
}
