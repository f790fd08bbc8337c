import { afterEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { startEnforcement } from '../../support/service.ts';
import { SECRET } from '../proxy/setup.ts';
import { ProcessorClient, type Message, type ProcessorStream } from './processor-client.ts';
import { MASK_SSN } from './setup.ts';

afterEach(closeAll);

const REQUEST: HeaderFields = [
  [':method', 'GET'],
  [':path', '/customers'],
];
const JSON_TYPE: HeaderFields = [['content-type', 'application/json']];

async function open(): Promise<ProcessorStream> {
  const { processor } = await startEnforcement(undefined, {
    extProc: { port: 0 },
    routes: [
      { path: '/public', pass: true },
      { path: '/files', nonJson: 'pass' },
    ],
  });
  return new ProcessorClient(processor?.port ?? 0).open();
}

describe('an answer without the headers of its request', () => {
  test('passes if it has no body, without what describes one', async () => {
    const stream = await open();
    stream.sendHead({ status: 400, fields: [['etag', '"1"']] }, true);
    const { responseHeaders } = await stream.next();
    expect(responseHeaders?.response.headerMutation.removeHeaders).toContain('etag');
    stream.end();
  });

  test('is refused if it has one', async () => {
    const stream = await open();
    stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('keeps its status and its challenges if it says no, and nothing else', async () => {
    const stream = await open();
    const fields: HeaderFields = [
      ['www-authenticate', 'Basic realm="a"'],
      ['content-type', 'text/plain'],
      ['set-cookie', SECRET],
      ['www-authenticate', 'Bearer realm="b"'],
      ['retry-after', '5'],
    ];
    stream.sendHead({ status: 401, fields }, false);
    const { immediateResponse } = await stream.next();
    expect(immediateResponse?.status.code).toBe(401);
    const set = immediateResponse?.headers.setHeaders ?? [];
    expect(set.map(({ header }) => [header.key, Buffer.from(header.rawValue).toString()])).toEqual([
      ['content-type', 'application/problem+json'],
      ['cache-control', 'no-store'],
      ['www-authenticate', 'Basic realm="a", Bearer realm="b"'],
      ['retry-after', '5'],
    ]);
    stream.end();
  });

  test('is refused if more follows', async () => {
    const stream = await open();
    stream.sendHead({ status: 400, fields: [] }, true);
    await stream.next();
    stream.sendBody(Buffer.from('{}'), true);
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('is refused if another one follows', async () => {
    const stream = await open();
    stream.sendHead({ status: 400, fields: [] }, true);
    await stream.next();
    stream.sendHead({ status: 400, fields: [] }, true);
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('is the last of its exchange', async () => {
    const stream = await open();
    stream.sendHead({ status: 400, fields: [] }, true);
    await stream.next();
    expect((await stream.begin(REQUEST, 'BUFFERED')).immediateResponse?.status.code).toBe(502);
    stream.end();
  });
});

test.each([
  [':path', '/public'],
  [':method', 'HEAD'],
])('a request with several %s is refused, in either order', async (name, value) => {
  for (const fields of [
    [...REQUEST, [name, value] as const],
    [[name, value] as const, ...REQUEST],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one stream after another
    const stream = await open();
    // oxlint-disable-next-line no-await-in-loop
    expect((await stream.begin(fields, 'BUFFERED')).immediateResponse?.status.code).toBe(502);
    stream.end();
  }
});

test.each([['opa'], ['authzen']])(
  'a request without a token is refused if a PDP is asked by %s about the user of the token',
  async (pdpProtocol) => {
    const written = { pdpProtocol, pdpUrl: '{pdp}/v1/data/masks', extProc: { port: 0 } };
    const { processor } = await startEnforcement(undefined, written);
    const stream = new ProcessorClient(processor?.port ?? 0).open();
    expect((await stream.begin(REQUEST, 'BUFFERED')).immediateResponse?.status.code).toBe(401);
    stream.end();
  },
);

test('a request whose headers come twice is refused: they could take a looser route then', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  const again: HeaderFields = [
    [':method', 'GET'],
    [':path', '/public'],
  ];
  expect((await stream.begin(again, 'BUFFERED')).immediateResponse?.status.code).toBe(502);
  stream.end();
});

test.each<[string, HeaderFields]>([
  [
    'CONNECT',
    [
      [':method', 'CONNECT'],
      [':path', '/customers'],
    ],
  ],
  ['another protocol in HTTP/2', [...REQUEST, [':protocol', 'websocket']]],
  ['another protocol in HTTP/1.1', [...REQUEST, ['upgrade', 'websocket']]],
])('a request for %s is refused: no answer of it would be enforced', async (_name, fields) => {
  const stream = await open();
  expect((await stream.begin(fields, 'BUFFERED')).immediateResponse?.status.code).toBe(403);
  stream.end();
});

test.each<[string, object]>([
  ['sends the bodies of requests in a mode that is not known', { requestBodyMode: 9 }],
  ['heeds no other mode, because requests are FULL_DUPLEX_STREAMED', { requestBodyMode: 4 }],
  ['heeds no other mode, because it does not wait', { sendBodyWithoutWaitingForHeaderResponse: true }],
])('a request is refused if Envoy %s', async (_name, protocol) => {
  const stream = await open();
  const { immediateResponse } = await stream.begin(REQUEST, 'BUFFERED', protocol);
  expect(immediateResponse?.status.code).toBe(502);
  stream.end();
});

test('an answer whose headers come twice is refused: the first could be of another type', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  stream.sendHead({ status: 204, fields: [] }, false);
  await stream.next();
  stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
  expect((await stream.next()).immediateResponse?.status.code).toBe(502);
  stream.end();
});

test('nothing is said to what comes after a refusal', async () => {
  const stream = await open();
  const refused = await stream.begin([...REQUEST, [':path', '/public']], 'BUFFERED');
  expect(refused.immediateResponse?.status.code).toBe(502);
  stream.sendHead({ status: 400, fields: [] }, true);
  stream.end();
  await expect(stream.next()).rejects.toThrow('The processor ended the stream.');
});

test('an answer is refused once, though both its record and its end fail', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
  stream.sendHead({ status: 200, fields: [['content-type', 'application/x-ndjson']] }, false);
  stream.sendBody(Buffer.from('{"ssn":'), true);
  expect((await stream.next()).immediateResponse?.status.code).toBe(502);
  stream.end();
  await expect(stream.next()).rejects.toThrow('The processor ended the stream.');
});

test('an answer with several :status is refused', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  stream.sendHead({ status: 304, fields: [[':status', '200'], ...JSON_TYPE] }, false);
  expect((await stream.next()).immediateResponse?.status.code).toBe(502);
  stream.end();
});

test('an answer that goes on after its end is refused', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
  await stream.next();
  stream.sendBody(Buffer.from('{}'), true);
  expect((await stream.next()).responseBody).toBeDefined();
  stream.sendBody(Buffer.from('{"ssn":1}'), true);
  expect((await stream.next()).immediateResponse?.status.code).toBe(502);
  stream.end();
});

test('a stream that Envoy closes before everything is answered ends with an error', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
  await stream.next();
  stream.end();
  await expect(stream.next()).rejects.toThrow('Envoy closed the stream before everything was answered.');
});

test.each<[string, readonly string[]]>([
  ['/files', ['x-checksum']],
  ['/public', []],
])('the trailers of an answer of %s that passes: these are removed: %j', async (path, removed) => {
  const stream = await open();
  const request: HeaderFields = [
    [':method', 'GET'],
    [':path', path],
  ];
  await stream.begin(request, 'FULL_DUPLEX_STREAMED');
  stream.sendHead({ status: 200, fields: [['content-type', 'text/plain']] }, false);
  await stream.next();
  stream.sendTrailers([['x-checksum', '1']]);
  const { responseTrailers } = await stream.next();
  expect(responseTrailers?.headerMutation.removeHeaders).toEqual(removed);
  stream.end();
});

test.each<[string, HeaderFields]>([
  ['has a body', JSON_TYPE],
  ['says that it has none', [['content-length', '0']]],
])('Envoy is asked for the trailers of an answer that it buffers and that %s', async (_name, fields) => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  stream.sendHead({ status: 200, fields }, false);
  const { modeOverride } = await stream.next();
  expect(modeOverride).toEqual({ responseBodyMode: 'BUFFERED', responseTrailerMode: 'SEND' });
  stream.end();
});

test('an answer that switches to another protocol is refused: nothing after it would be enforced', async () => {
  const stream = await open();
  await stream.begin(REQUEST, 'BUFFERED');
  stream.sendHead({ status: 101, fields: [['upgrade', 'websocket']] }, false);
  const { immediateResponse } = await stream.next();
  expect(immediateResponse?.status.code).toBe(403);
  stream.end();
});

test('a request whose answer would find no room is refused before the application gets it', async () => {
  const { processor } = await startEnforcement(undefined, { extProc: { port: 0 }, maxInFlight: 1 });
  const client = new ProcessorClient(processor?.port ?? 0);
  const first = client.open();
  await first.begin(REQUEST, 'BUFFERED');
  first.sendHead({ status: 200, fields: sized(10) }, false);
  await first.next();
  const second = client.open();
  expect((await second.begin(REQUEST, 'BUFFERED')).immediateResponse?.status.code).toBe(503);
  first.end();
  second.end();
});

test.each(['abc', '5,5', '-1', '1e9', 'NaN'])(
  'a length of %s does not let more bodies in than there is room for',
  async (length) => {
    const { processor } = await startEnforcement(undefined, { extProc: { port: 0 }, maxInFlightBody: 1 });
    const client = new ProcessorClient(processor?.port ?? 0);
    const head = { status: 200, fields: [...JSON_TYPE, ['content-length', length] as const] };
    const streams = [client.open(), client.open(), client.open()];
    const answers: unknown[] = [];
    for (const stream of streams) {
      // oxlint-disable-next-line no-await-in-loop -- one exchange after another
      await stream.begin(REQUEST, 'BUFFERED');
      stream.sendHead(stream === streams[0] ? head : { status: 200, fields: sized(600_000) }, false);
      // oxlint-disable-next-line no-await-in-loop
      answers.push((await stream.next()).immediateResponse?.status.code);
    }
    expect(answers).toEqual([undefined, undefined, 503]);
    streams.forEach((stream) => stream.end());
  },
);

/** A stream that Envoy has buffered. When it is masked, it is longer by two fifths. */
function buffered(records: number): Message {
  const body = Buffer.from('{"ssn":1}\n'.repeat(records));
  return { status: 200, fields: [['content-type', 'application/x-ndjson']], body };
}

test('a stream is refused if masking makes it longer than maxAnswer', async () => {
  const written = { attrName: 'column', extProc: { port: 0 }, maxAnswer: 1 };
  const { processor } = await startEnforcement(MASK_SSN, written);
  const client = new ProcessorClient(processor?.port ?? 0);
  expect(await client.exchange(REQUEST, buffered(70_000))).toMatchObject({ status: 200 });
  expect(await client.exchange(REQUEST, buffered(90_000))).toMatchObject({ status: 502 });
});

/** The same as one payload. */
function whole(records: number): Message {
  const body = Buffer.from(`[${'{"ssn":1},'.repeat(records)}{}]`);
  return { status: 200, fields: JSON_TYPE, body };
}

test('a body is refused if masking makes it longer than maxAnswer', async () => {
  const written = { attrName: 'column', extProc: { port: 0 }, maxAnswer: 1 };
  const { processor } = await startEnforcement(MASK_SSN, written);
  const client = new ProcessorClient(processor?.port ?? 0);
  expect(await client.exchange(REQUEST, whole(70_000))).toMatchObject({ status: 200 });
  expect(await client.exchange(REQUEST, whole(90_000))).toMatchObject({ status: 502 });
});

test('a stream is refused if there is no room for what masking makes of it', async () => {
  const written = { attrName: 'column', extProc: { port: 0 }, maxInFlightBody: 1 };
  const { processor } = await startEnforcement(MASK_SSN, written);
  const client = new ProcessorClient(processor?.port ?? 0);
  const other = client.open();
  await other.begin(REQUEST, 'BUFFERED');
  other.sendHead({ status: 200, fields: sized(600_000) }, false);
  await other.next();
  expect(await client.exchange(REQUEST, buffered(30_000))).toMatchObject({ status: 200 });
  expect(await client.exchange(REQUEST, buffered(44_000))).toMatchObject({ status: 503 });
  other.end();
});

function sized(length: number): HeaderFields {
  return [...JSON_TYPE, ['content-length', String(length)]];
}

describe('an answer that could have a body, and has none', () => {
  const redirect = { status: 302, fields: [['location', '/b']] as const };

  test.each(['BUFFERED', 'FULL_DUPLEX_STREAMED'] as const)('passes in mode %s', async (mode) => {
    const stream = await open();
    await stream.begin(REQUEST, mode);
    stream.sendHead(redirect, false);
    stream.sendBody(Buffer.alloc(0), true);
    expect((await stream.next()).responseHeaders).toBeDefined();
    const { responseBody, immediateResponse } = await stream.next();
    expect(immediateResponse).toBeUndefined();
    expect(responseBody).toBeDefined();
    stream.end();
  });

  test.each(['BUFFERED', 'FULL_DUPLEX_STREAMED'] as const)(
    'is refused in mode %s if it has one',
    async (mode) => {
      const stream = await open();
      await stream.begin(REQUEST, mode);
      stream.sendHead(redirect, false);
      stream.sendBody(Buffer.from(SECRET), true);
      const answers =
        mode === 'BUFFERED' ? [await stream.next(), await stream.next()] : [await stream.next()];
      expect(answers.at(-1)?.immediateResponse?.status.code).toBe(502);
      stream.end();
    },
  );

  test('is not over before Envoy says so, even if its headers say it', async () => {
    const empty = { status: 200, fields: [['content-length', '0']] as const };
    const ended = await open();
    await ended.begin(REQUEST, 'BUFFERED');
    ended.sendHead(empty, false);
    await ended.next();
    ended.sendBody(Buffer.alloc(0), true);
    expect(await ended.next()).toHaveProperty('responseBody');
    ended.end();
    const cut = await open();
    await cut.begin(REQUEST, 'BUFFERED');
    cut.sendHead(empty, false);
    await cut.next();
    cut.end();
    await expect(cut.next()).rejects.toThrow('Envoy closed the stream before everything was answered.');
  });

  test('is refused at its first piece, and not when all of it has arrived', async () => {
    const stream = await open();
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead(redirect, false);
    stream.sendBody(Buffer.from(SECRET), false);
    const { immediateResponse } = await stream.next();
    expect(immediateResponse?.status.code).toBe(502);
    expect(Buffer.from(immediateResponse?.body ?? '').toString()).toContain('it has no Content-Type');
    stream.end();
  });

  test('is refused at once if it says that it has one', async () => {
    const stream = await open();
    await stream.begin(REQUEST, 'BUFFERED');
    stream.sendHead({ ...redirect, fields: [...redirect.fields, ['content-length', '5']] }, false);
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });
});

const USUAL: HeaderFields = [...REQUEST, [':authority', 'a'], ['x-user', 'jane'], ['accept', '*/*']];
const ANSWER: HeaderFields = [
  ['content-type', 'application/json'],
  ['content-encoding', 'identity'],
  ['content-length', '28'],
];

test('nothing is let through unmasked because Envoy keeps header fields to itself', async () => {
  const { processor } = await startEnforcement(MASK_SSN, {
    attrName: 'column',
    extProc: { port: 0 },
    trustedHeaders: ['x-user'],
    routes: [{ path: '/customers', methods: ['GET'], vendor: { entityId: '${headers.x-user}' } }],
    otherwise: { pass: true },
  });
  const client = new ProcessorClient(processor?.port ?? 0);
  const body = Buffer.from(JSON.stringify({ ssn: SECRET }));
  await fc.assert(
    fc.asyncProperty(fc.subarray([...USUAL]), fc.subarray([...ANSWER]), async (request, fields) => {
      const got = await client.exchange(request, { status: 200, fields, body });
      expect(got.body.toString()).not.toContain(SECRET);
    }),
    { examples: [[[...USUAL], [...ANSWER]]] },
  );
});

test.each(['x-envoy-user', 'x-envoy_user', 'x-envoyuser', 'host'])(
  'a request with %s that is not trusted is refused, because Envoy would not remove it',
  async (name) => {
    const { processor } = await startEnforcement(undefined, {
      extProc: { port: 0 },
      trustedHeaders: name === 'x-envoy_user' ? ['x-envoy-user'] : [],
      routes: [{ path: '/mine', vendor: { entityId: `\${headers.${name.replace('_', '-')}}` } }],
      otherwise: { pass: true },
    });
    const client = new ProcessorClient(processor?.port ?? 0);
    const answer = { status: 200, fields: JSON_TYPE, body: Buffer.from('{}') };
    const got = await client.exchange([...REQUEST, [name, 'admin']], answer);
    expect(got).toMatchObject({ status: 400 });
    expect(await client.exchange(REQUEST, answer)).toMatchObject({ status: 200 });
  },
);
