import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { call, enforcing, type Answer, type Call } from '../../support/caller.ts';
import { SECRET } from '../proxy/setup.ts';

/** A request, and how the application answers: mostly as applications do, sometimes in any other way. */
export interface OddExchange {
  readonly method: string;
  readonly status: number;
  readonly type: string | undefined;
  readonly coding: string | undefined;
  /** Whether the body is in its coding. */
  readonly isCoded: boolean;
  readonly payload: string;
  /** Whether the payload is a record, if the type is that of a stream. */
  readonly isFramed: boolean;
  readonly framing: 'length' | 'chunked' | 'pieces';
  readonly hasInterim: boolean;
  readonly hasTrailers: boolean;
  readonly breaksOff: boolean;
}

const payloads = fc.oneof(
  fc
    .record({ ssn: fc.constant(SECRET), more: fc.jsonValue({ depthSize: 'small' }) })
    .map((one) => JSON.stringify(one)),
  fc.array(fc.record({ ssn: fc.constant(SECRET), id: fc.integer() })).map((list) => JSON.stringify(list)),
  fc.constantFrom(
    `"${SECRET}"`,
    `{"ssn":"${SECRET}"`,
    SECRET,
    `{"ssn":"${SECRET}"}{"ssn":"${SECRET}"}`,
    `\ufeff{"ssn":"${SECRET}"}`,
    `{"ssn":"${SECRET}","ssn":"${SECRET}"}`,
    '{}',
    '[]',
    '',
    'null',
  ),
);

const USUAL_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/problem+json',
  'application/x-ndjson',
  'application/json-seq',
  'text/event-stream',
];

const ODD_TYPES = [
  'application/json; charset=latin1',
  'application/json; charset=utf-8; charset=utf-16',
  'Application/JSON;x=y',
  ', application/json',
  'text/html',
  'text/json',
  'multipart/mixed; boundary=x',
  'application/octet-stream',
  '',
  undefined,
];

/** Mostly a usual one. */
function mostly<T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...odd));
}

/** How a payload is a record of a stream. */
const FRAMES: Readonly<Partial<Record<string, (payload: string) => string>>> = {
  'application/x-ndjson': (payload) => `${payload}\n`,
  'application/json-seq': (payload) => `\u001e${payload}\n`,
  'text/event-stream': (payload) => `data: ${payload}\n\n`,
};

const CODINGS: Readonly<Partial<Record<string, (text: string) => Buffer>>> = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

export const oddExchanges: fc.Arbitrary<OddExchange> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD', 'DELETE', 'OPTIONS'),
  status: mostly([200, 201, 404], [204, 205, 206, 226, 301, 304, 400, 500, 503, 599]),
  type: mostly<string | undefined>(USUAL_TYPES, ODD_TYPES),
  coding: mostly([undefined, 'identity'], ['gzip', 'br', 'zstd', 'gzip, gzip']),
  isCoded: mostly([true], [false]),
  payload: payloads,
  isFramed: mostly([true], [false]),
  framing: fc.constantFrom('length', 'chunked', 'pieces'),
  hasInterim: fc.boolean(),
  hasTrailers: fc.boolean(),
  breaksOff: fc.nat(9).map((number) => number === 0),
});

/** Answers as the exchange says. */
export function answerOddly(response: ServerResponse, odd: OddExchange): void {
  const { status, type, coding, isCoded, framing, hasInterim, hasTrailers, breaksOff } = odd;
  const encode = isCoded ? CODINGS[coding ?? ''] : undefined;
  const text = framed(odd, odd.payload);
  const bytes = encode?.(text) ?? Buffer.from(text);
  if (hasInterim) response.writeEarlyHints({ link: '</a>; rel=preload', 'x-interim': SECRET });
  response.writeHead(status, {
    ...(type !== undefined && { 'content-type': type }),
    ...(coding !== undefined && { 'content-encoding': coding }),
    ...(framing === 'length' && { 'content-length': String(bytes.length) }),
    etag: `"${SECRET}"`,
    digest: SECRET,
  });
  const half = Math.floor(bytes.length / 2);
  if (framing === 'pieces' || breaksOff) response.write(bytes.subarray(0, half));
  if (breaksOff) return void setImmediate(() => response.destroy());
  if (hasTrailers && framing !== 'length') response.addTrailers({ 'x-digest': SECRET });
  response.end(framing === 'pieces' ? bytes.subarray(half) : bytes);
}

/** A request with conditions, ranges and codings that the application must not see. */
export function oddRequest({ method }: OddExchange): Call {
  const headers = {
    range: 'bytes=0-5',
    'if-none-match': `"${SECRET}"`,
    'accept-encoding': 'gzip',
    te: 'trailers',
  };
  return { method, path: '/a', headers };
}

/** What `/enforce` makes of a payload; undefined if it refuses it. */
async function enforcedBy(port: number, payload: string): Promise<string | undefined> {
  const answer = await call(port, { body: enforcing(payload) });
  return answer.status === 200 ? answer.text : undefined;
}

/**
 * Compares an answer with what `/enforce` makes of the payload: it has to be that, an error, or empty.
 *
 * @param answer undefined if it broke off
 * @param port of `/enforce`
 * @returns what is wrong; undefined if nothing is
 */
export async function faultOf(
  odd: OddExchange,
  answer: Answer | undefined,
  port: number,
): Promise<string | undefined> {
  if (answer === undefined) return undefined;
  const { type = '', payload, isFramed } = odd;
  if (JSON.stringify(answer).includes(SECRET)) return 'The answer has the secret.';
  if (answer.text === '' || payload === '' || isError(answer)) return undefined;
  // Of a stream without its frames, nothing is known but that the secret is not in it.
  if (FRAMES[type] !== undefined && !isFramed) return undefined;
  const masked = await enforcedBy(port, payload);
  const expected = masked === undefined ? 'an error' : framed(odd, masked);
  return answer.text === expected ? undefined : `${answer.text} in place of ${expected}`;
}

/** A payload as the body has it. */
function framed({ type = '', isFramed }: OddExchange, payload: string): string {
  return (isFramed ? FRAMES[type]?.(payload) : undefined) ?? payload;
}

/** A problem document, or the text in which an Envoy says that the application broke off. */
function isError({ status, headers, text }: Answer): boolean {
  if (status < 500) return false;
  return text.includes('urn:authz-jsonmasking:error:') || headers['server'] === 'envoy';
}
