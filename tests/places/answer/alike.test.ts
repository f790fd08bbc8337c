import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import type { Message } from '../ext-proc/processor-client.ts';
import { SECRET } from '../proxy/setup.ts';
import { startPlaces, type Exchanged, type Places } from './places.ts';

let places: Places;

beforeAll(async () => {
  places = await startPlaces();
});

afterAll(closeAll);

/** What is about a connection or a place, and not about the answer. */
const OF_THE_PLACE: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

/** What a client gets: the error, which may be an answer that breaks off, or the answer, with its fields in the order of the alphabet. */
type Outcome =
  | { readonly refused: string }
  | { readonly status: number; readonly fields: readonly string[]; readonly body: string };

function outcomeOf({ status, fields, body }: Message): Outcome {
  const text = body.toString('latin1');
  const [, refused] = /urn:authz-jsonmasking:error:([\w-]+)/u.exec(text) ?? [];
  if (refused !== undefined) return { refused };
  const own = fields.filter(([name]) => !OF_THE_PLACE.has(name)).map(([name, value]) => `${name}: ${value}`);
  return { status, fields: own.toSorted(), body: text };
}

/** Applications that use the library often know their users by a cookie. */
function withoutCookie(outcome: Outcome): Outcome {
  if ('refused' in outcome) return outcome;
  return { ...outcome, fields: outcome.fields.map((field) => field.replace(/^(vary: .*), Cookie$/u, '$1')) };
}

async function outcomes(exchange: Exchanged): Promise<Readonly<Record<keyof Places, Outcome>>> {
  return {
    proxy: await places.proxy(exchange).then(outcomeOf, () => ({ refused: 'broken off' })),
    processor: outcomeOf(await places.processor(exchange)),
    library: withoutCookie(outcomeOf(await places.library(exchange))),
  };
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const BODY = `{"id":1.10,"ssn":"${SECRET}"}`;
const MASKED = '{"id":1.10,"ssn":"***"}';

function answered(fields: HeaderFields, body: string | Buffer = BODY, status = 200): Exchanged {
  return { method: 'GET', path: '/a', answer: { status, fields, body: Buffer.from(body) } };
}

describe('the proxy, the processor and the library', () => {
  test.each([
    ['Accept-Ranges', 'bytes'],
    ['Age', '10'],
    ['CDN-Cache-Control', 'max-age=600'],
    ['Cloudflare-CDN-Cache-Control', 'max-age=600'],
    ['Content-Digest', 'sha-256=:x:'],
    ['Content-MD5', 'x'],
    ['Content-Range', 'bytes 0-9/10'],
    ['Digest', 'sha-256=x'],
    ['Edge-Control', 'max-age=600'],
    ['Enforcement-Result', 'records=0'],
    ['ETag', '"x"'],
    ['Expires', 'Sat, 21 Nov 2099 00:00:00 GMT'],
    ['Last-Modified', 'Sat, 21 Nov 2026 00:00:00 GMT'],
    ['Repr-Digest', 'sha-256=:x:'],
    ['Surrogate-Control', 'max-age=600'],
    ['Surrogate-Key', 'customers'],
    ['Trailer', 'X-Sum'],
    ['X-Accel-Expires', '600'],
    ['X-Accel-Redirect', '/files/customers.json'],
    ['X-Lighttpd-Send-File', '/files/customers.json'],
    ['X-LiteSpeed-Location', '/files/customers.json'],
    ['X-Reproxy-File', '/files/customers.json'],
    ['X-Reproxy-URL', 'http://127.0.0.1/customers.json'],
    ['X-Sendfile', '/files/customers.json'],
  ])('drop %s of a masked answer', async (name, value) => {
    const fields = ['cache-control: private', 'content-type: application/json', 'vary: Authorization'];
    const masked = { status: 200, fields, body: MASKED };
    const { proxy, processor, library } = await outcomes(answered([JSON_TYPE, [name, value]]));
    expect([proxy, processor, library]).toEqual([masked, masked, masked]);
  });

  test.each([
    ['an answer that is only a part', answered([JSON_TYPE], BODY, 206)],
    ['an empty answer that is only a part', answered([['Content-Length', '0']], '', 206)],
    ['an answer that is a difference', answered([JSON_TYPE], BODY, 226)],
    ['two types', answered([JSON_TYPE, ['Content-Type', 'text/plain']])],
    ['two charsets', answered([['Content-Type', 'application/json; charset=utf-8; charset=utf-8']])],
    ['a type that is not JSON', answered([['Content-Type', 'text/plain']])],
    ['two codings', answered([JSON_TYPE, ['Content-Encoding', 'gzip, gzip']], gzipSync(gzipSync(BODY)))],
    ['a coding that it is not in', answered([JSON_TYPE, ['Content-Encoding', 'zstd']])],
    ['a coding named as a member of each object', answered([JSON_TYPE, ['Content-Encoding', 'constructor']])],
    [
      'more after brotli',
      answered([JSON_TYPE, ['Content-Encoding', 'br']], followed(brotliCompressSync(BODY))),
    ],
    [
      'more after deflate',
      answered([JSON_TYPE, ['Content-Encoding', 'deflate']], followed(deflateSync(BODY))),
    ],
    [
      'more after Zstandard',
      answered([JSON_TYPE, ['Content-Encoding', 'zstd']], followed(zstdCompressSync(BODY))),
    ],
    ['more after gzip', answered([JSON_TYPE, ['Content-Encoding', 'gzip']], followed(gzipSync(BODY)))],
    ['no type, where other types pass', { ...answered([]), path: '/lax/a' }],
    [
      'a list of types, the first with a parameter, where other types pass',
      { ...answered([['Content-Type', 'text/csv; header=absent, application/json']]), path: '/lax/a' },
    ],
    [
      'a coding that is not known, where other types pass',
      { ...answered([JSON_TYPE, ['Content-Encoding', 'compress']]), path: '/lax/a' },
    ],
    ['broken JSON', answered([JSON_TYPE], BODY.slice(1))],
    ['a text', answered([JSON_TYPE], `"${SECRET}"`)],
  ])('refuse %s', async (_name, exchange) => {
    const refused = { refused: 'response-not-enforceable' };
    expect(await outcomes(exchange)).toEqual({ proxy: refused, processor: refused, library: refused });
  });

  test.each([
    ['gzip', gzipSync('')],
    ['br', brotliCompressSync('')],
    ['zstd', zstdCompressSync('')],
  ])('pass an empty answer on that is compressed with %s', async (coding, body) => {
    const fields = ['cache-control: private', 'content-type: application/json', 'vary: Authorization'];
    const empty = { status: 200, fields, body: '' };
    const { proxy, processor, library } = await outcomes(
      answered([JSON_TYPE, ['Content-Encoding', coding]], body),
    );
    expect([proxy, processor, library]).toEqual([empty, empty, empty]);
  });

  test('answer alike, whatever the application sends', async () => {
    await fc.assert(
      fc.asyncProperty(exchanges, async (exchange) => {
        const all = await outcomes(exchange);
        for (const outcome of Object.values(all)) expect(leaks(outcome)).toBe(false);
        const { proxy, processor, library } = all;
        if (isStream(exchange)) return;
        expect(processor).toEqual(proxy);
        expect(library).toEqual(proxy);
      }),
      { numRuns: 150 },
    );
  });
});

/** With text that is not compressed after it. */
function followed(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.from('[]')]);
}

/** A body of another type that passes has no secret in these tests. */
function leaks(outcome: Outcome): boolean {
  return JSON.stringify(outcome).includes(SECRET);
}

/** Only the proxy and the processor can enforce a stream of records. */
function isStream({ answer }: Exchanged): boolean {
  return answer.fields.some(([, value]) => /ndjson|json-seq|event-stream/u.test(value));
}

const CODINGS: readonly (readonly [string | undefined, (body: Buffer) => Buffer])[] = [
  [undefined, (body) => body],
  ['identity', (body) => body],
  ['gzip', (body) => gzipSync(body)],
  ['X-Gzip', (body) => gzipSync(body)],
  ['deflate', (body) => deflateSync(body)],
  ['br', (body) => brotliCompressSync(body)],
  ['zstd', (body) => zstdCompressSync(body)],
  ['gzip', (body) => body],
  ['gzip, identity', (body) => gzipSync(body)],
  ['br', (body) => followed(brotliCompressSync(body))],
  ['none', (body) => body],
  ['compress', (body) => body],
  ['constructor', (body) => body],
  ['__proto__', (body) => body],
];

const PASSES = /^(?:text\/html|application\/octet-stream)$/u;
const types = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json',
  'Application/JSON ; Charset="UTF-8"',
  'application/json; charset=utf8',
  'application/json; charset=latin1',
  'application/problem+json',
  'application/vnd.api+json; profile="x"',
  'application/json; charset=utf-8; charset=utf-16',
  'text/html',
  'text/json',
  'text/json5',
  'json',
  'application/json, text/html',
  'application/octet-stream',
  'multipart/mixed; boundary=x',
  '',
  'application/x-ndjson',
  'application/json-seq',
  'text/event-stream',
  undefined,
);

const bodies = fc.oneof(
  fc
    .record({ ssn: fc.constant(SECRET), more: fc.jsonValue({ depthSize: 'small' }) })
    .map((one) => JSON.stringify(one)),
  fc.constantFrom(
    BODY,
    BODY.slice(1),
    `"${SECRET}"`,
    '{}',
    '[]',
    'null',
    '',
    `${BODY}\n${BODY}`,
    `\ufeff${BODY}`,
  ),
);

const headerFields = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constant('Cache-Control'),
      fc.constantFrom(
        'public, max-age=60',
        's-maxage=5',
        'no-store',
        'private="set-cookie, x", max-age=5',
        'PUBLIC',
        'no-cache="a, public"',
        'immutable',
        '',
        'max-age="60',
        'max-age = 5 ; public',
        'x=y, , public',
      ),
    ),
    fc.tuple(fc.constant('Vary'), fc.constantFrom('*', 'Accept', 'authorization, X-A', '', 'Accept, *')),
    fc.tuple(
      fc.constantFrom(
        'ETag',
        'Expires',
        'X-Own',
        'Surrogate-Control',
        'Content-Digest',
        'Set-Cookie',
        'Pragma',
        'Age',
        'Last-Modified',
        'Akamai-CDN-Cache-Control',
        'Edge-Control',
        'Content-Language',
        'Location',
      ),
      fc.constantFrom('a', 'b=1'),
    ),
  ),
  { maxLength: 5 },
);

const exchanges: fc.Arbitrary<Exchanged> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT'),
    lax: fc.boolean(),
    status: fc.constantFrom(200, 200, 200, 200, 201, 204, 205, 206, 226, 304, 302, 400, 404, 500, 503),
    type: types,
    coding: fc.constantFrom(...CODINGS),
    body: bodies,
    fields: headerFields,
    isChunked: fc.boolean(),
  })
  .map(({ method, lax, status, type, coding: [coding, encode], body, fields, isChunked }) => {
    const passes = lax && PASSES.test(type ?? '');
    const text = passes ? body.replaceAll(SECRET, 'x') : body;
    const bytes = text === '' || status === 205 ? Buffer.alloc(0) : encode(Buffer.from(text));
    const own: HeaderFields = [
      ...fields,
      ...(type === undefined ? [] : [['Content-Type', type] as const]),
      ...(coding === undefined ? [] : [['Content-Encoding', coding] as const]),
      ...(isChunked ? [] : [['Content-Length', String(bytes.length)] as const]),
    ];
    return { method, path: lax ? '/lax/a' : '/a', answer: { status, fields: own, body: bytes } };
  });
