import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { slicesOf } from '../../../src/places/answer/index.ts';
import { startProvider } from '../../identity/provider.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement, type Service } from '../../support/service.ts';
import { EVENTS, NDJSON } from '../answer/record-streams.ts';
import { headerMap, ProcessorClient, receivedOf, type ProcessorStream } from './processor-client.ts';

afterEach(closeAll);

const REQUEST: HeaderFields = [
  [':method', 'GET'],
  [':path', '/customers'],
];
const PUBLIC: HeaderFields = [
  [':method', 'GET'],
  [':path', '/public'],
];
const JSON_TYPE: HeaderFields = [['content-type', 'application/json']];
const TRAILERS: HeaderFields = [['x-checksum', 'of the original']];

function start(written: Readonly<Record<string, unknown>> = {}): Promise<Service> {
  const routes = [{ path: '/public', pass: true }];
  return startEnforcement(undefined, { extProc: { port: 0 }, routes, ...written });
}

function streamTo({ processor }: Service): ProcessorStream {
  return new ProcessorClient(processor?.port ?? 0).open();
}

function requestHeaders(fields: HeaderFields): object {
  return { headers: headerMap(fields), endOfStream: true };
}

describe('a request', () => {
  test.each([
    ['BUFFERED', 2, ''],
    ['FULL_DUPLEX_STREAMED', 4, '{"a":1}'],
  ])('has its body and trailers go on as they are, in mode %s', async (_, requestBodyMode, again) => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED', { requestBodyMode });
    stream.send({ requestBody: { body: Buffer.from('{"a":1}'), endOfStream: false } });
    const { bodyMutation } = (await stream.next()).requestBody?.response ?? {};
    expect(bodyMutation?.body).toBeUndefined();
    expect(Buffer.from(bodyMutation?.streamedResponse?.body ?? '').toString()).toBe(again);
    stream.send({ requestTrailers: { trailers: headerMap(TRAILERS) } });
    const { requestTrailers } = await stream.next();
    expect(requestTrailers?.headerMutation).toEqual({ setHeaders: [], removeHeaders: [] });
    stream.end();
  });

  test.each([['/public'], ['/customers']])(
    'for %s does not take a field to the application that only a gateway may set',
    async (path) => {
      const routes = [
        { path: '/public', pass: true },
        { path: '/mine', vendor: { entityId: '${headers.x-user}' } },
      ];
      const stream = streamTo(await start({ routes, trustedHeaders: [] }));
      const fields = [[':method', 'GET'] as const, [':path', path] as const, ['x-user', 'admin'] as const];
      const { requestHeaders: head } = await stream.begin(fields, 'BUFFERED');
      expect(head?.response.headerMutation.removeHeaders).toContain('x-user');
      stream.end();
    },
  );

  test('has what asks for an encoding or a part removed, however it is spelt', async () => {
    const stream = streamTo(await start());
    const conditions = ['accept-encoding', 'accept_encoding', 'if_range', 'range'];
    const fields = [...REQUEST, ...conditions.map((name) => [name, 'a'] as const)];
    const { requestHeaders: head } = await stream.begin(fields, 'BUFFERED');
    expect(head?.response.headerMutation.removeHeaders).toEqual(expect.arrayContaining(conditions));
    stream.end();
  });

  test('is refused if Envoy does not say how it sends bodies', async () => {
    const stream = streamTo(await start());
    stream.send({ requestHeaders: requestHeaders(REQUEST) });
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('is refused if its body comes before its headers', async () => {
    const stream = streamTo(await start());
    stream.send({ requestBody: { body: Buffer.from('{}'), endOfStream: true } });
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('is refused at a message that the service does not know', async () => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'BUFFERED');
    stream.send({});
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });
});

test.each(['application/json', 'text/plain'])(
  'an answer of type %s depends on the field by which its route knows the user',
  async (type) => {
    const routes = [{ path: '/mine', nonJson: 'pass', vendor: { entityId: '${headers.x-user}' } }];
    const stream = streamTo(await start({ routes, trustedHeaders: ['x-user'] }));
    await stream.begin(
      [
        [':method', 'GET'],
        [':path', '/mine'],
        ['x-user', 'jane'],
      ],
      'BUFFERED',
    );
    stream.sendHead({ status: 200, fields: [['content-type', type]] }, false);
    const { responseHeaders } = await stream.next();
    const set = responseHeaders?.response.headerMutation.setHeaders ?? [];
    const texts = set.map(({ header }) =>
      `${header.key}: ${Buffer.from(header.rawValue).toString()}`.toLowerCase(),
    );
    expect(texts).toContain('vary: authorization, x-user');
    stream.end();
  },
);

describe('in observability mode', () => {
  const observed = { protocolConfig: { responseBodyMode: 2 }, observabilityMode: true };

  test('a request is refused, and an error says that Envoy ignores that', async () => {
    const service = await start();
    const stream = streamTo(service);
    stream.send({ requestHeaders: requestHeaders(REQUEST), ...observed });
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
    await eventually(() => service.logged.some((line) => line.includes('observability_mode; turn that off')));
    expect(service.logged.join('')).toContain('Envoy sent an answer unmasked');
  });

  test('an answer with a body and without the headers of its request is refused, whatever its status', async () => {
    const stream = streamTo(await start());
    const headers = headerMap([[':status', '401'], ...JSON_TYPE]);
    stream.send({ responseHeaders: { headers, endOfStream: false }, ...observed });
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test('nothing is said to a request that passes, and to its answer', async () => {
    const stream = streamTo(await start());
    stream.send({ requestHeaders: requestHeaders(PUBLIC), ...observed });
    stream.send({ requestBody: { body: Buffer.from('{}'), endOfStream: true }, observabilityMode: true });
    stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
    stream.sendBody(Buffer.from('{}'), true);
    stream.end();
    await expect(stream.next()).rejects.toThrow('The processor ended the stream.');
  });
});

describe('an answer', () => {
  test('is refused if its body comes before its headers', async () => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'BUFFERED');
    stream.sendBody(Buffer.from('{}'), true);
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test.each([['2000'], ['20'], ['']])('is refused if its status is %j', async (status) => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'BUFFERED');
    const headers = headerMap([[':status', status], ...JSON_TYPE]);
    stream.send({ responseHeaders: { headers, endOfStream: false } });
    expect((await stream.next()).immediateResponse?.status.code).toBe(502);
    stream.end();
  });

  test.each([
    ['a stream without records', Object.entries(NDJSON), '\n'],
    ['a stream without a byte', Object.entries(NDJSON), ''],
    ['a stream without events', Object.entries(EVENTS), ''],
  ])('that is %s has its headers sent', async (_, fields, body) => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields }, false);
    stream.sendBody(Buffer.from(body), true);
    expect(await stream.next()).toHaveProperty('responseHeaders');
    stream.end();
  });

  test('that is compressed is the same in pieces, which are given back one by one', async () => {
    const records = Array.from({ length: 40_000 }, () => `{"text":"${randomUUID()}"}\n`).join('');
    const compressed = gzipSync(records);
    const pieces = Array.from(slicesOf(compressed, 64 * 1024));
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead(
      { status: 200, fields: [...Object.entries(NDJSON), ['content-encoding', 'gzip']] },
      false,
    );
    expect(await receivedOf(stream, pieces, undefined)).toEqual({ body: records, isWhole: true });
    stream.end();
  });

  test('that is compressed is refused if it becomes longer than maxBody', async () => {
    const stream = streamTo(await start({ maxBody: 1 }));
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields: [...JSON_TYPE, ['content-encoding', 'gzip']] }, false);
    stream.sendBody(gzipSync(`["${'a'.repeat(2 ** 21)}"]`), true);
    const { immediateResponse } = await stream.next();
    expect(Buffer.from(immediateResponse?.body ?? '').toString()).toContain('(maxBody)');
    stream.end();
  });

  test('is refused at a record that is longer than maxBody', async () => {
    const stream = streamTo(await start({ maxBody: 1 }));
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields: Object.entries(NDJSON) }, false);
    stream.sendBody(Buffer.alloc(600_000, 'x'), false);
    stream.sendBody(Buffer.alloc(600_000, 'x'), true);
    const { immediateResponse } = await stream.next();
    expect(Buffer.from(immediateResponse?.body ?? '').toString()).toContain('(maxBody)');
    stream.end();
  });

  test('is sent in the mode that Envoy named first, whatever it says later', async () => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    const headers = headerMap([[':status', '200'], ...JSON_TYPE]);
    const protocolConfig = { responseBodyMode: 2 };
    stream.send({ responseHeaders: { headers, endOfStream: false }, protocolConfig });
    stream.sendBody(Buffer.from('{}'), true);
    const { responseHeaders, modeOverride } = await stream.next();
    expect([responseHeaders !== undefined, modeOverride]).toEqual([true, undefined]);
    const { responseBody } = await stream.next();
    expect(responseBody?.response.bodyMutation.streamedResponse?.endOfStream).toBe(true);
    stream.end();
  });

  test('that is a stream goes on for clockTolerance after the token of the caller has expired', async () => {
    const provider = await startProvider();
    const identity = { jwt: { ...provider.jwt, clockTolerance: 300_000 } };
    const parameters = { calculationType: 'context', assetId: 'id', protectedObject: 'customers' };
    const otherwise = { vendor: { entityId: '${claims.sub}' }, parameters };
    const stream = streamTo(await start({ identity, otherwise }));
    const token = await provider.sign({ exp: Math.floor(Date.now() / 1000) - 100 });
    await stream.begin([...REQUEST, ['authorization', `Bearer ${token}`]], 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields: Object.entries(NDJSON) }, false);
    const pieces = [Buffer.from('{"id":"1"}\n')];
    expect(await receivedOf(stream, pieces, undefined)).toEqual({ body: '{"id":"1"}\n', isWhole: true });
    stream.end();
  });

  test('takes room with a record that has not ended, as a whole body does', async () => {
    const service = await start({ maxInFlightBody: 1 });
    const other = streamTo(service);
    await other.begin(REQUEST, 'BUFFERED');
    other.sendHead({ status: 200, fields: [...JSON_TYPE, ['content-length', '600000']] }, false);
    await other.next();
    const stream = streamTo(service);
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields: Object.entries(NDJSON) }, false);
    stream.sendBody(Buffer.alloc(600_000, 'x'), false);
    expect((await stream.next()).immediateResponse?.status.code).toBe(503);
    stream.end();
    other.end();
  });

  test('without a body has its trailers removed', async () => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
    stream.sendTrailers(TRAILERS);
    expect(await stream.next()).toHaveProperty('responseHeaders');
    const { responseTrailers } = await stream.next();
    expect(responseTrailers?.headerMutation.removeHeaders).toEqual(['x-checksum']);
    stream.end();
    await expect(stream.next()).rejects.toThrow('The processor ended the stream.');
  });

  test('that Envoy buffers has its trailers removed, after its body', async () => {
    const stream = streamTo(await start());
    await stream.begin(REQUEST, 'BUFFERED');
    stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
    await stream.next();
    stream.sendBody(Buffer.from('{}'), false);
    expect(await stream.next()).toHaveProperty('responseBody');
    stream.sendTrailers(TRAILERS);
    const { responseTrailers } = await stream.next();
    expect(responseTrailers?.headerMutation.removeHeaders).toEqual(['x-checksum']);
    stream.end();
    await expect(stream.next()).rejects.toThrow('The processor ended the stream.');
  });
});

test('an answer that Envoy makes itself, without a body, ends an exchange in order', async () => {
  const service = await start();
  const stream = streamTo(service);
  stream.sendHead({ status: 400, fields: [] }, true);
  await stream.next();
  stream.end();
  await expect(stream.next()).rejects.toThrow('The processor ended the stream.');
  expect(service.logged.join('')).toContain('"outcome":"passed"');
});

describe('an exchange that Envoy gives up', () => {
  test('has gone if the PDP is being asked, and is no error', async () => {
    const service = await startEnforcement(
      { delay: 60_000 },
      { extProc: { port: 0 }, otherwise: { vendor: { entityId: 'jane' } }, pdpTimeout: 60_000 },
    );
    const stream = streamTo(service);
    await stream.begin(REQUEST, 'BUFFERED');
    stream.sendHead({ status: 200, fields: JSON_TYPE }, false);
    await stream.next();
    stream.sendBody(Buffer.from('{}'), true);
    await eventually(() => stream.taken > 0);
    stream.cancel();
    await eventually(() => service.logged.some((line) => line.includes('"outcome"')));
    expect(service.logged.join('')).toContain('"outcome":"gone"');
  });

  test('leaves its place to the next one', async () => {
    const service = await start({ maxInFlight: 1 });
    const first = streamTo(service);
    await first.begin(REQUEST, 'BUFFERED');
    first.sendHead({ status: 200, fields: JSON_TYPE }, false);
    await first.next();
    first.cancel();
    await eventually(() => service.logged.some((line) => line.includes('"outcome":"gone"')));
    const second = streamTo(service);
    await second.begin(REQUEST, 'BUFFERED');
    second.sendHead({ status: 200, fields: JSON_TYPE }, false);
    expect(await second.next()).toHaveProperty('responseHeaders');
    second.end();
  });
});

describe('a body that takes longer than bodyTimeout', () => {
  test.each([
    ['one payload', JSON_TYPE],
    ['a stream of records', Object.entries(NDJSON)],
  ])('has 504 answer in its place if nothing of it is sent: %s', async (_, fields) => {
    const stream = streamTo(await start({ bodyTimeout: 100 }));
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields }, false);
    expect((await stream.next()).immediateResponse?.status.code).toBe(504);
    stream.end();
  });

  test.each<[string, HeaderFields, string]>([
    ['NDJSON', Object.entries(NDJSON), '{}\n'],
    ['events', Object.entries(EVENTS), 'data: {}\n\n'],
  ])('breaks off if a part of it is sent: %s', async (_, fields, record) => {
    const stream = streamTo(await start({ bodyTimeout: 1000 }));
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields }, false);
    stream.sendBody(Buffer.from(record), false);
    const reason = expect.stringContaining('The rest of the answer cannot be enforced.');
    expect(await untilBroken(stream)).toEqual({ body: record, reason });
  });

  test.each<[string, HeaderFields, string]>([
    ['one payload', JSON_TYPE, '{}'],
    ['a stream of records', Object.entries(NDJSON), '{}\n'],
  ])('is none if it has ended: %s', async (_, fields, body) => {
    const stream = streamTo(await start({ bodyTimeout: 1000 }));
    await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields }, false);
    stream.sendBody(Buffer.from(body), false);
    stream.sendTrailers(TRAILERS);
    await answersUntilTrailers(stream);
    await wait(1200);
    stream.end();
    await expect(stream.next()).rejects.toThrow('The processor ended the stream.');
  });
});

/** What a client gets of a body until it breaks off, and why it does. */
async function untilBroken(stream: ProcessorStream): Promise<{ body: string; reason: string }> {
  let body = '';
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one answer after another
      const { responseBody } = await stream.next();
      body += Buffer.from(responseBody?.response.bodyMutation.streamedResponse?.body ?? '').toString();
    }
  } catch (error) {
    return { body, reason: String(error) };
  }
}

async function answersUntilTrailers(stream: ProcessorStream): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one answer after another
  while ((await stream.next()).responseTrailers === undefined);
}
