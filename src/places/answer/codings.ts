import { pipeline, Readable } from 'node:stream';
import type { HeaderFields } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import { decompressors, listedIn } from '../listener/index.ts';
import { notEnforceable } from './problems.ts';

/** A content coding that can be undone. */
export type ContentCoding = keyof typeof decompressors;

const CODINGS: ReadonlyMap<string, ContentCoding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/** Codings that change nothing. GraphQL Yoga and others say `none`, so that no middleware compresses their streams. */
const UNCHANGED: ReadonlySet<string> = new Set(['identity', 'none']);

/** The content coding of an answer; undefined if it has none, `unknown` if it cannot be undone. */
export function codingOf(fields: HeaderFields): ContentCoding | 'unknown' | undefined {
  const [coding, ...others] = listedIn(fields, 'content-encoding').filter((one) => !UNCHANGED.has(one));
  if (coding === undefined) return undefined;
  return others.length > 0 ? 'unknown' : (CODINGS.get(coding) ?? 'unknown');
}

/**
 * Undoes the content coding of a body while it arrives.
 *
 * @throws ServiceError `response-not-enforceable` if the body is not in its coding; what the chunks throw
 */
export async function* decoding(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  coding: ContentCoding,
): AsyncGenerator<Buffer> {
  let cause: unknown;
  const decoder = decompressors[coding]();
  pipeline(Readable.from(chunks, { objectMode: true }), decoder, (error) => (cause = error));
  try {
    for await (const chunk of decoder) yield Buffer.from(chunk);
  } catch (error) {
    const problem = [error, cause].find((one) => one instanceof ServiceError);
    throw problem ?? notEnforceable('it cannot be decompressed');
  }
}

/**
 * Undoes the content coding of a whole body.
 *
 * @param check gets the number of bytes so far, and throws to stop
 * @throws ServiceError `response-not-enforceable` if the body is not in its coding; what `check` throws
 */
export async function decoded(
  body: Buffer,
  coding: ContentCoding | undefined,
  check: (bytes: number) => void,
): Promise<Buffer> {
  if (coding === undefined) return body;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of decoding([body], coding)) {
    bytes += piece.length;
    check(bytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
