import { ServiceError } from '../../errors.ts';
import { ErrorStatus } from '../error-status.ts';
import { quotesConfidential, refusalReason } from '../decisions/index.ts';
import type { Sent } from '../port.ts';
import type { Answer } from './exchange.ts';
import { decompressionFailure } from './failure.ts';
import type { Limits } from './limits.ts';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';

/** The challenge unless the PDP sends one that may be passed on: RFC 9110 §15.5.2 demands one with a 401. */
const DEFAULT_CHALLENGE = 'Bearer';

/** For the log, which never gets the PDP's own words: they may quote whatever the PDP knows. */
const REFUSED = 'The PDP refused the request.';
const NO_REASON = 'The PDP gave no reason.';

/**
 * The decision in an answer of the PDP: the body of a successful one, decompressed.
 *
 * @throws ServiceError `pdp-unauthorized` or `pdp-forbidden` if the PDP says so; `pdp-failed` for any other status,
 *   redirects included, and if the body cannot be decompressed within its bounds. The PDP's reason for a 4xx, if it is
 *   short text, is only in `callerDetail`, and its challenge only in `callerHeaders`.
 */
export async function decisionIn(answer: Answer, question: Sent, limits: Limits): Promise<Uint8Array> {
  const { status } = answer;
  if (status >= 200 && status < 300) return bodyOf(answer, limits);
  const reason = isClientError(status) ? await reasonIn(answer, question, limits) : undefined;
  if (status === 401) throw unauthorized(answer, question, reason);
  if (status === 403) throw new ServiceError('pdp-forbidden', REFUSED, { callerDetail: reason ?? NO_REASON });
  throw failed(status, reason);
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

function unauthorized({ challenge }: Answer, question: Sent, reason: string | undefined): ServiceError {
  const isFit =
    challenge !== undefined && challenge.trim() !== '' && !quotesConfidential(challenge, question);
  return new ServiceError('pdp-unauthorized', REFUSED, {
    headers: { 'WWW-Authenticate': DEFAULT_CHALLENGE },
    callerHeaders: isFit ? { 'WWW-Authenticate': challenge } : {},
    callerDetail: reason ?? NO_REASON,
  });
}

function failed(status: number, reason: string | undefined): ServiceError {
  const summary = `The PDP answered with status ${status}`;
  return new ServiceError('pdp-failed', `${summary}.`, {
    cause: new ErrorStatus(status),
    callerDetail: reason === undefined ? undefined : `${summary}: ${reason}`,
  });
}

async function bodyOf({ body, encoding }: Answer, limits: Limits): Promise<Uint8Array> {
  try {
    return await decompressed(body, encoding, limits.maxAnswerBytes);
  } catch (error) {
    throw decompressionFailure(error, limits);
  }
}

/** That a reason cannot be read changes nothing about the refusal. */
async function reasonIn(answer: Answer, question: Sent, limits: Limits): Promise<string | undefined> {
  const body = await bodyOf(answer, limits).catch(() => undefined);
  return body && refusalReason(body, question);
}

type Decoder = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

const gzip: Decoder = promisify(gunzip);
const zlib = whole(promisify(inflate));
const rawDeflate = whole(promisify(inflateRaw));
const brotli = whole(promisify(brotliDecompress));

/** Some servers leave out the zlib header that `deflate` asks for (RFC 9110 §8.4.1.2). */
const deflate: Decoder = (bytes, options) => (hasZlibHeader(bytes) ? zlib : rawDeflate)(bytes, options);

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', deflate],
  ['br', brotli],
]);

/**
 * Undoes one content encoding. Axios must not do it, because it takes the first part of a truncated stream for the
 * whole.
 *
 * @param encoding the value of `Content-Encoding`, undefined or `identity` if there is none
 * @param maxBytes the longest result
 * @throws Error if the encoding is unknown, or the bytes are not in it, end early or are followed by others; with the `code`
 *   `ERR_BUFFER_TOO_LARGE` if the result would be longer
 */
async function decompressed(
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

/** Refuses what comes after the compressed data. In `gzip`, that always fails, unless it is another member. */
function whole(decoder: Decoder): Decoder {
  return (bytes, options) => decoder(bytes, { ...options, rejectGarbageAfterEnd: true });
}

/** RFC 1950 §2.2: method 8, and a check number that makes the two bytes a multiple of 31. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}
