import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, type Answer } from '../../support/caller.ts';
import { answering, SECRET, startApplication, startProxied, type Proxied } from './setup.ts';

/** An answer of the application: mostly what applications send, sometimes anything. */
interface Odd {
  readonly status: number;
  readonly type: string | undefined;
  readonly coding: string | undefined;
  readonly body: string;
  readonly chunked: boolean;
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

const types = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'application/hal+json',
  'text/html',
  'application/octet-stream',
  'application/x-ndjson',
  'application/json-seq',
  'text/event-stream',
  'Application/JSON;x=y',
  ', application/json',
  '',
  undefined,
);

const answers: fc.Arbitrary<Odd> = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 204, 205, 206, 226, 301, 304, 400, 404, 500, 503, 599),
  type: types,
  coding: fc.constantFrom(undefined, undefined, undefined, 'gzip', 'br', 'zstd', 'identity', 'gzip, gzip'),
  body: payloads,
  chunked: fc.boolean(),
});

let proxied: Proxied;
let odd: Odd;

beforeAll(async () => {
  const application = await startApplication((request, response) => {
    const { status, type, coding, body, chunked } = odd;
    const bytes = coding === 'gzip' && body.length % 2 === 0 ? gzipSync(body) : Buffer.from(body);
    const headers = {
      ...(type !== undefined && { 'content-type': type }),
      ...(coding !== undefined && { 'content-encoding': coding }),
      ...(!chunked && { 'content-length': String(bytes.length) }),
    };
    answering(bytes, headers, status)(request, response);
  });
  proxied = await startProxied(application.url);
});

afterAll(closeAll);

/** What `/enforce` makes of a payload; undefined if it refuses it. */
async function oracle(payload: string): Promise<string | undefined> {
  const answer = await call(proxied.port, { body: enforcing(payload) });
  return answer.status === 200 ? answer.text : undefined;
}

function isError({ status, text }: Answer): boolean {
  return status === 502 && text.includes('urn:authz-jsonmasking:error:');
}

test('any answer is masked as /enforce would mask it, or is an error, or has no body', async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (given) => {
      odd = given;
      const answer = await call(proxied.proxyPort, { method: 'GET', path: '/a' }).catch(() => undefined);
      // It broke off.
      if (answer === undefined) return;
      expect(JSON.stringify(answer)).not.toContain(SECRET);
      if (isError(answer) || answer.text === '') return;
      const isStream = /ndjson|json-seq|event-stream/u.test(given.type ?? '');
      expect(answer.text).toBe(isStream ? answer.text : await oracle(given.body));
    }),
    { numRuns: 300 },
  );
});

const SEGMENTS =
  'customers Customers CUSTOMERS health .. . %2e%2e ..; ..;x=y %2e ;a %2F %5C %00 health%2f.. c%75stomers customers;v=1 ' +
  '%252e%252e 7 % x%zz ~';
const segment = fc.constantFrom('', ...SEGMENTS.split(' '));

/** The first segment of a path, as an application reads it that may decode it, drop parameters, fold case and resolve dots. */
function firstSegment(target: string, sloppy: ReadonlySet<string>): string {
  let path = target;
  if (sloppy.has('decodes')) path = decoded(path).replaceAll('\\', '/');
  if (sloppy.has('drops parameters')) path = path.replaceAll(/;[^/]*/gu, '');
  if (sloppy.has('folds case')) path = path.toLowerCase();
  const segments = path.split('/').slice(1);
  return (sloppy.has('resolves dots') ? resolved(segments) : segments)[0] ?? '';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function resolved(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const one of segments) {
    if (one === '..') kept.pop();
    else if (one !== '' && one !== '.') kept.push(one);
  }
  return kept;
}

test('no path gets an answer past its route, however sloppily the application reads it', async () => {
  let sloppy: ReadonlySet<string> = new Set();
  const application = await startApplication((request, response) => {
    const isSecret = firstSegment(request.url ?? '', sloppy) === 'customers';
    const body = isSecret ? `{"ssn":"${SECRET}"}` : '{"up":true}';
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const { proxyPort } = await startProxied(application.url, {
    routes: [{ path: '/customers/**' }],
    otherwise: { pass: true },
  });
  const habits = fc.subarray(['decodes', 'drops parameters', 'folds case', 'resolves dots']);
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 6 }), habits, async (segments, habit) => {
      sloppy = new Set(habit);
      const { text } = await call(proxyPort, { method: 'GET', path: `/${segments.join('/')}` });
      expect(text).not.toContain(SECRET);
    }),
    { numRuns: 500 },
  );
});
