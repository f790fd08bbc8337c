import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { exchanged } from '../../support/wire.ts';
import {
  BROKEN_AT_ONCE,
  BROKEN_LATER,
  EVENTS,
  inPieces,
  NDJSON,
  nextOf,
  open,
  RECORDS,
  SAMPLES,
  settled,
  unending,
} from '../answer/record-streams.ts';
import { SECRET } from '../proxy/setup.ts';
import { BUFFERED, FULL_DUPLEX } from '../../../scripts/tools/envoy-configuration.ts';
import { describeEnvoy, type Answering } from './envoy.ts';
import { get, json, startChain } from './setup.ts';

const LINE = `{"ssn":"${SECRET}"}\n`;
const MASKED_LINE = '{"ssn":"***"}\n';

/** What the system's sockets on the way may hold, 10 MB for each of three connections at most, and as much again, in bytes. */
const MOST_HELD = 2 ** 26;

afterEach(closeAll);

const ignore = (): void => undefined;

/** Sends the head of a stream, and no record. */
const headOnly =
  (headers: Readonly<Record<string, string>>): Answering =>
  (response) =>
    response.writeHead(200, headers).flushHeaders();

/** Sends a stream without records. */
const empty: Answering = (response) => {
  response.writeHead(200, NDJSON).flushHeaders();
  setTimeout(() => response.end(), 50);
};

/** An application that answers with a record, and with what a test sends then. */
function afterOne(rest: (response: Parameters<Answering>[0]) => void, headers = NDJSON): Answering {
  return (response) => {
    response.writeHead(200, headers).write(LINE);
    rest(response);
  };
}

function answering(body: string, size: number, headers: Readonly<Record<string, string>>): Answering {
  const handler = inPieces(body, size, headers);
  return (response, request) => handler(request, response);
}

describeEnvoy.each([
  ['BUFFERED', BUFFERED],
  ['FULL_DUPLEX_STREAMED', FULL_DUPLEX],
] as const)('With a real Envoy in mode %s, a stream of records', (name, mode) => {
  test.each(SAMPLES)('is masked: $name', async ({ headers, body, masked }) => {
    const { envoy } = await startChain({ mode, answer: answering(body, 7, headers) });
    const answer = await get(envoy);
    expect(answer).toMatchObject({ status: 200, text: masked });
    expect(answer.headers).toMatchObject({ ...headers, 'cache-control': 'private' });
    const length = name === 'BUFFERED' ? String(Buffer.byteLength(masked)) : undefined;
    expect(answer.headers['content-length']).toBe(length);
  });
});

describeEnvoy('With a real Envoy in mode FULL_DUPLEX_STREAMED', () => {
  test('streams that stay open take no place of other exchanges, and have a bound', async () => {
    const { envoy } = await startChain({
      mode: FULL_DUPLEX,
      written: { maxInFlight: 1, maxStreams: 1 },
      answer: (response, request) =>
        request.url === '/a' ? afterOne(ignore)(response, request) : json({ ssn: SECRET })(response, request),
    });
    const stream = await open(envoy.port);
    expect(await get(envoy)).toMatchObject({ status: 200, text: '{"ssn":"***"}' });
    const refused = await get(envoy, { path: '/a' });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(problemIn(refused).detail).toContain('(maxStreams)');
    stream.destroy();
  });

  test.each(RECORDS)(
    'the first record leaves before the last one has arrived: $name',
    async ({ headers, body, masked }) => {
      const next = Promise.withResolvers<void>();
      const { envoy } = await startChain({
        mode: FULL_DUPLEX,
        answer: (response) => {
          response.writeHead(200, headers).write(body);
          void next.promise.then(() => response.end(body));
        },
      });
      const answer = await open(envoy.port);
      expect(await nextOf(answer, masked.length)).toBe(masked);
      next.resolve();
      expect(await text(answer)).toBe(masked);
    },
  );

  test('the head of a stream of events leaves before the first event', async () => {
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer: headOnly(EVENTS) });
    const got = await open(envoy.port);
    expect(got.statusCode).toBe(200);
    got.destroy();
  });

  test('a stream that is compressed is decoded and masked', async () => {
    const headers = { ...NDJSON, 'content-encoding': 'gzip' };
    const body = gzipSync(LINE.repeat(5000));
    const { envoy } = await startChain({
      mode: FULL_DUPLEX,
      answer: (response) => void response.writeHead(200, headers).end(body),
    });
    const answer = await get(envoy);
    expect(answer).toMatchObject({ status: 200, text: MASKED_LINE.repeat(5000) });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test('a stream may be longer than maxBody, and say so', async () => {
    const body = LINE.repeat(60_000);
    const headers = { ...NDJSON, 'content-length': String(body.length) };
    const answer: Answering = (response) => void response.writeHead(200, headers).end(body);
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer, written: { maxBody: 1 } });
    const got = await get(envoy);
    expect(got.status).toBe(200);
    expect(got.text === MASKED_LINE.repeat(60_000)).toBe(true);
  });

  test('a stream without records is empty', async () => {
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer: empty });
    expect(await get(envoy)).toMatchObject({ status: 200, text: '' });
  });

  test('trailers of a stream are dropped', async () => {
    const answer = afterOne((response) => {
      response.write(LINE);
      response.addTrailers({ 'x-digest': SECRET });
      response.end();
    });
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer });
    const request = 'GET /a HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close\r\n\r\n';
    const received = await exchanged(envoy.port, request);
    expect(received).not.toContain(SECRET);
    expect(received).toMatch(/\r\n0\r\n\r\n$/u);
  });

  test.each([NDJSON, EVENTS])('trailers of a stream without records are dropped: %j', async (type) => {
    const answer: Answering = (response) => {
      response.writeHead(200, type).flushHeaders();
      response.addTrailers({ 'x-digest': SECRET });
      response.end();
    };
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer });
    expect(await get(envoy)).toMatchObject({ status: 200, text: '' });
  });

  test('the PDP is asked once for the records of a stream', async () => {
    const answer = answering(LINE.repeat(200), 50, NDJSON);
    const { envoy, pdp } = await startChain({ mode: FULL_DUPLEX, answer });
    expect((await get(envoy)).text).toBe(MASKED_LINE.repeat(200));
    expect(pdp.requests).toHaveLength(1);
  });

  test('the log counts the records of a stream', async () => {
    const answer = answering(LINE.repeat(20), 50, NDJSON);
    const { envoy, logged } = await startChain({ mode: FULL_DUPLEX, answer });
    await get(envoy);
    await eventually(() => logged.some((line) => line.includes('"outcome":"enforced"')));
    const line = logged.find((one) => one.includes('"outcome":"enforced"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      records: 20,
      masked: 20,
      responseBytes: MASKED_LINE.length * 20,
    });
  });

  test.each(BROKEN_AT_ONCE)('502 answers a stream whose first record is %s', async (_name, headers, body) => {
    const answer = answering(body, 60_000, headers);
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer, written: { maxBody: 1 } });
    const got = await get(envoy);
    expect(problemIn(got).type).toBe('urn:authz-jsonmasking:error:response-not-enforceable');
    expect(JSON.stringify(got)).not.toContain(SECRET);
  });

  test.each(BROKEN_LATER)(
    'a later record that cannot be enforced breaks the answer off, and neither it nor anything after it leaves: %s',
    async (_name, headers, first, rest) => {
      const { envoy, logged } = await startChain({
        mode: FULL_DUPLEX,
        answer: (response) => {
          response.writeHead(200, headers).write(first);
          setTimeout(() => response.end(rest), 100);
        },
        written: { maxBody: 1 },
      });
      const request = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const received = await exchanged(envoy.port, request).catch(() => 'reset');
      expect(received).toMatch(/^HTTP\/1.1 200 OK/u);
      expect(received).not.toContain(SECRET);
      expect(received).not.toContain('xxx');
      expect(received).not.toContain('"a":2');
      expect(received).not.toMatch(/\r\n0\r\n\r\n$/u);
      await eventually(() => logged.some((line) => line.includes('response-not-enforceable')));
    },
  );

  test('a refusal of the PDP is the status of a stream', async () => {
    for (const headers of [NDJSON, EVENTS]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { envoy } = await startChain({
        mode: FULL_DUPLEX,
        answer: answering(LINE, 100, headers),
        decision: { status: 403, body: 'no' },
      });
      // oxlint-disable-next-line no-await-in-loop
      expect((await get(envoy)).status).toBe(403);
    }
  });

  test('504 answers a stream whose first record does not arrive within bodyTimeout', async () => {
    const answer = headOnly(NDJSON);
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer, written: { bodyTimeout: 300 } });
    expect(await get(envoy)).toMatchObject({ status: 504 });
  });

  test('a stream that pauses for longer than bodyTimeout breaks off', async () => {
    const answer = afterOne(() => undefined);
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer, written: { bodyTimeout: 300 } });
    await expect(get(envoy)).rejects.toThrow('aborted');
  });

  test('a stream may take longer than bodyTimeout if none of its pauses does', async () => {
    const answer = afterOne((response) => {
      let sent = 1;
      const timer = setInterval(() => {
        if (++sent < 12) response.write(LINE);
        else response.end(LINE);
        if (sent === 12) clearInterval(timer);
      }, 100);
    });
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer, written: { bodyTimeout: 1000 } });
    expect(await get(envoy)).toMatchObject({ status: 200, text: MASKED_LINE.repeat(12) });
  });

  test('a stream that upstream breaks off is never ended as if it were whole', async () => {
    const answer = afterOne((response) => {
      response.write('{"ssn":"');
      setTimeout(() => response.destroy(), 50);
    });
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer });
    await expect(get(envoy)).rejects.toThrow('aborted');
  });

  test('a stream breaks off, and nothing leaves unmasked, if the service is gone', async () => {
    let send = ignore;
    const answer = afterOne((response) => (send = () => void response.end(LINE)));
    const { envoy, processor } = await startChain({ mode: FULL_DUPLEX, answer });
    const got = await open(envoy.port);
    expect(await nextOf(got, MASKED_LINE.length)).toBe(MASKED_LINE);
    processor?.close();
    const rest = text(got);
    send();
    await expect(rest).rejects.toThrow('aborted');
  });

  test('a stream in progress is finished while the service drains', async () => {
    let send = ignore;
    const answer = afterOne((response) => (send = () => void response.end(LINE)));
    const { envoy, processor } = await startChain({ mode: FULL_DUPLEX, answer });
    const got = await open(envoy.port);
    expect(await nextOf(got, MASKED_LINE.length)).toBe(MASKED_LINE);
    const drained = processor?.drain(20_000);
    send();
    expect(await text(got)).toBe(MASKED_LINE);
    expect(await drained).toBe(true);
  });

  test('a stream that does not end in time is broken off by the end of draining', async () => {
    const { envoy, processor } = await startChain({ mode: FULL_DUPLEX, answer: afterOne(() => undefined) });
    const got = await open(envoy.port);
    await nextOf(got);
    const rest = text(got).catch(String);
    expect(await processor?.drain(200)).toBe(false);
    expect(await rest).toBe('Error: aborted');
  });

  test('a client that goes away has the stream given up', async () => {
    let isClosed = false;
    const answer = afterOne((response) => response.once('close', () => (isClosed = true)));
    const { envoy, logged } = await startChain({ mode: FULL_DUPLEX, answer });
    const got = await open(envoy.port);
    await nextOf(got);
    got.destroy();
    await eventually(() => isClosed && logged.some((line) => line.includes('"outcome":"gone"')));
    expect(logged.some((line) => line.includes('"level":"error"'))).toBe(false);
  });

  test('a long stream to a client that does not read waits in the application, not in memory', async () => {
    const endless = unending(`{"ssn":"${SECRET}","more":"${'x'.repeat(1000)}"}\n`.repeat(64), NDJSON);
    const answer: Answering = (response, request) => endless.answer(request, response);
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer, bufferLimit: 65_536 });
    const got = await open(envoy.port);
    got.pause();
    expect(await settled(() => endless.sent)).toBeLessThan(MOST_HELD);
    got.destroy();
  });

  test('a long stream waits in the application while the service is not ready for it', async () => {
    const endless = unending(`{"ssn":"${SECRET}","more":"${'x'.repeat(1000)}"}\n`.repeat(64), NDJSON);
    const answer: Answering = (response, request) => endless.answer(request, response);
    const { envoy } = await startChain({ mode: FULL_DUPLEX, answer, decision: { delay: 60_000 } });
    const got = get(envoy).catch(() => undefined);
    expect(await settled(() => endless.sent)).toBeLessThan(MOST_HELD);
    await closeAll();
    await got;
  });

  test('data of events that is not JSON passes if the route says so, and JSON is still masked', async () => {
    const body = `data: {"ssn":"${SECRET}"}\n\ndata: [DONE]\n\n`;
    const { envoy } = await startChain({
      mode: FULL_DUPLEX,
      answer: answering(body, 100, EVENTS),
      written: { otherwise: { nonJson: 'pass', vendor: { entityId: 'jane' } } },
    });
    expect((await get(envoy)).text).toBe('data: {"ssn":"***"}\n\ndata: [DONE]\n\n');
  });
});

describeEnvoy('With a real Envoy in mode BUFFERED', () => {
  test.each(BROKEN_LATER)(
    '502 answers a stream of which a record cannot be enforced: %s',
    async (_name, headers, first, rest) => {
      const answer = answering(`${first}${rest}\n\n`, 60_000, headers);
      const { envoy } = await startChain({ answer, written: { maxBody: 1 }, bufferLimit: 8_000_000 });
      const got = await get(envoy);
      expect(problemIn(got).type).toBe('urn:authz-jsonmasking:error:response-not-enforceable');
      expect(JSON.stringify(got)).not.toContain(SECRET);
    },
  );

  test('502 answers a stream over maxBody, also after decompression', async () => {
    const body = LINE.repeat(60_000);
    const answer: Answering = (response, { url }) => {
      if (url === '/plain') response.writeHead(200, NDJSON).end(body);
      else response.writeHead(200, { ...NDJSON, 'content-encoding': 'gzip' }).end(gzipSync(body));
    };
    const { envoy } = await startChain({ answer, written: { maxBody: 1 }, bufferLimit: 8_000_000 });
    expect(problemIn(await get(envoy, { path: '/plain' })).detail).toContain('maxBody');
    expect(problemIn(await get(envoy, { path: '/gzip' })).detail).toContain('maxBody');
  });

  test('504 answers a stream that does not end within bodyTimeout', async () => {
    const { envoy } = await startChain({ answer: afterOne(() => undefined), written: { bodyTimeout: 300 } });
    expect(await get(envoy)).toMatchObject({ status: 504 });
  });
});
