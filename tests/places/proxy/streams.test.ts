import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { writeInTime } from '../../../src/places/proxy/answer.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { call, problemIn, type Answer } from '../../support/caller.ts';
import { connected, exchanged, restOf } from '../../support/wire.ts';
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
import { answering, SECRET, startBoth } from './setup.ts';

afterEach(closeAll);

async function answerTo(handler: RequestListener, written = {}): Promise<Answer> {
  const { proxyPort } = await startBoth(handler, written);
  return call(proxyPort, { method: 'GET', path: '/a' });
}

describe.each([1, 7, 10_000])('in pieces of %d bytes', (size) => {
  test.each(SAMPLES)('the proxy enforces $name as a payload', async ({ headers, body, masked }) => {
    expect(await answerTo(inPieces(body, size, headers))).toMatchObject({
      status: 200,
      text: masked,
      headers: { ...headers, 'cache-control': 'private' },
    });
  });
});

test('a stream that is compressed is enforced, too', async () => {
  const body = `{"ssn":"${SECRET}"}\n`.repeat(1000);
  const handler = answering(gzipSync(body), { ...NDJSON, 'content-encoding': 'gzip' });
  expect((await answerTo(handler)).text).toBe('{"ssn":"***"}\n'.repeat(1000));
});

test('a stream that is compressed and does not begin in time is answered with 504', async () => {
  const coded = gzipSync(`{"ssn":"${SECRET}"}\n`);
  const { proxyPort } = await startBoth(
    (_request, response) => {
      response.writeHead(200, { ...NDJSON, 'content-encoding': 'gzip' }).write(coded.subarray(0, 4));
    },
    { proxy: { timeout: 100 } },
  );
  const answer = await call(proxyPort, { method: 'GET', path: '/a' });
  expect(problemIn(answer)).toMatchObject({
    status: 504,
    type: 'urn:authz-jsonmasking:error:upstream-timeout',
  });
});

describe('the first record is sent before the last one has arrived', () => {
  test.each(RECORDS)('of $name', async ({ headers, body, masked }) => {
    const next = Promise.withResolvers<void>();
    const { proxyPort } = await startBoth((_request, response) => {
      response.writeHead(200, headers).write(body);
      void next.promise.then(() => response.end(body));
    });
    const answer = await open(proxyPort);
    expect((await nextOf(answer, masked.trimEnd().length)).trimEnd()).toBe(masked.trimEnd());
    next.resolve();
    expect((await text(answer)).trim()).toBe(masked.trim());
  });

  test('and the head of a stream of events before the first event', async () => {
    const { proxyPort } = await startBoth((_request, response) => {
      response.writeHead(200, EVENTS).flushHeaders();
    });
    const answer = await open(proxyPort);
    expect(answer.statusCode).toBe(200);
    answer.destroy();
  });
});

/** A record, and then nothing; but other requests are answered at once. */
const streamAt: RequestListener = ({ url }, response) => {
  if (url === '/a') response.writeHead(200, NDJSON).write(`{"ssn":"${SECRET}"}\n`);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(`{"ssn":"${SECRET}"}`);
};

test('streams that stay open take no place of other requests, and have a bound', async () => {
  const { proxyPort } = await startBoth(streamAt, { maxInFlight: 1, maxStreams: 2 });
  const first = await open(proxyPort);
  const second = await open(proxyPort);
  const whole = await call(proxyPort, { method: 'GET', path: '/whole' });
  expect(whole).toMatchObject({ status: 200, text: '{"ssn":"***"}' });
  const third = await call(proxyPort, { method: 'GET', path: '/a' });
  expect(third).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(problemIn(third).detail).toContain('(maxStreams)');
  first.destroy();
  await eventually(async () => {
    const next = await open(proxyPort);
    next.destroy();
    return next.statusCode === 200;
  });
  second.destroy();
});

test('the PDP is asked once for the records of a stream', async () => {
  const { proxyPort, pdp } = await startBoth(answering(`{"ssn":"${SECRET}"}\n`.repeat(500), NDJSON));
  await call(proxyPort, { method: 'GET', path: '/a' });
  expect(pdp.requests).toHaveLength(1);
});

describe('a record that cannot be enforced', () => {
  test.each(BROKEN_AT_ONCE)('and comes first is answered with 502: %s', async (_name, headers, body) => {
    const answer = await answerTo(answering(body, headers), { proxy: { maxBody: 1 } });
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:response-not-enforceable');
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  test.each(BROKEN_LATER)(
    'and comes later breaks the answer off: %s',
    async (_name, headers, first, rest) => {
      const handler = inPieces(first + rest, 30, headers);
      const { proxyPort } = await startBoth(handler, { proxy: { maxBody: 1 } });
      const outcome = await call(proxyPort, { method: 'GET', path: '/a' }).then(
        ({ status }) => status,
        (error: unknown) => String(error),
      );
      expect([502, 'Error: aborted', 'Error: socket hang up']).toContain(outcome);
    },
  );

  test.each(BROKEN_LATER)(
    'and nothing of it or after it is sent: %s',
    async (_name, headers, first, rest) => {
      const handler = inPieces(first + rest, 30, headers);
      const { proxyPort } = await startBoth(handler, { proxy: { maxBody: 1 } });
      const request = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const received = await exchanged(proxyPort, request).catch(() => 'reset');
      expect(received).not.toContain(SECRET);
      expect(received).not.toContain('"a":2');
      expect(received).not.toMatch(/\r\n0\r\n\r\n$/u);
    },
  );
});

test('nonJson: pass lets the text of events through, and still masks their JSON', async () => {
  const body = `data: {"ssn":"${SECRET}"}\n\ndata: [DONE]\n\n`;
  const answer = await answerTo(answering(body, EVENTS), { otherwise: { nonJson: 'pass' } });
  expect(answer.text).toBe('data: {"ssn":"***"}\n\ndata: [DONE]\n\n');
});

test.each([
  ['each line of an event', `data: {"ssn":"${SECRET}"}\ndata: {"ssn":"${SECRET}"}\n\n`],
  ['a line between lines of text', `event: a\ndata: one\ndata: \ndata: [{"ssn":"${SECRET}"}]\ndata: two\n\n`],
  ['the first and the last line', `data: {"ssn":"${SECRET}"}\ndata: one\ndata: {"ssn":"${SECRET}"}\n\n`],
])('nonJson: pass masks the JSON in text of events: %s', async (_name, body) => {
  const answer = await answerTo(answering(body, EVENTS), { otherwise: { nonJson: 'pass' } });
  expect(answer.text).toBe(body.replaceAll(SECRET, '***'));
});

test.each([
  ['{"ssn":"', '"}'],
  ['["', '"]'],
])(
  'nonJson: pass lets no JSON pass because a byte is not UTF-8, which clients replace: %s…%s',
  async (start, rest) => {
    const event = Buffer.concat([
      Buffer.from(`data: ${start}${SECRET}`),
      Buffer.of(0xff),
      Buffer.from(`${rest}\n\n`),
    ]);
    const { proxyPort } = await startBoth(answering(event, EVENTS), { otherwise: { nonJson: 'pass' } });
    const request = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect(await exchanged(proxyPort, request).catch(() => 'reset')).not.toContain(SECRET);
  },
);

test('nonJson: pass lets no JSON pass because it is too deep to be enforced', async () => {
  const event = `data: ${'['.repeat(600)}"${SECRET}"${']'.repeat(600)}\n\n`;
  const answer = await answerTo(answering(event, EVENTS), { otherwise: { nonJson: 'pass' } }).catch(String);
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

test('a stream that breaks off is never ended as if it were whole', async () => {
  const { proxyPort } = await startBoth((_request, response) => {
    response.writeHead(200, NDJSON).write(`{"ssn":"${SECRET}"}\n{"ssn":"`);
    setTimeout(() => response.destroy(), 50);
  });
  const answer = await open(proxyPort);
  await expect(text(answer)).rejects.toThrow('aborted');
});

test('a stream may take longer than proxy.timeout, but not be silent for as long', async () => {
  const { proxyPort } = await startBoth(
    (_request, response) => {
      response.writeHead(200, NDJSON);
      let sent = 0;
      const drip = setInterval(() => {
        response.write(`{"ssn":"${SECRET}"}\n`);
        if (++sent === 30) clearInterval(drip);
      }, 100);
    },
    { proxy: { timeout: 2000 } },
  );
  const answer = await open(proxyPort);
  const masked = '{"ssn":"***"}\n'.repeat(30);
  expect(await nextOf(answer, masked.length)).toBe(masked);
  await expect(text(answer)).rejects.toThrow('aborted');
});

test.each([
  ['NDJSON', NDJSON, `{"ssn":"${SECRET}"}\n`, '{"ssn":"***"}\n', `{"ssn":"${SECRET}`],
  ['a sequence', { 'content-type': 'application/json-seq' }, '\u001e[12]\n', '\u001e[12]\n', '\u001e[1'],
])('%s whose last record is broken has those before it, if it all comes at once', async (...row) => {
  const [, headers, first, masked, rest] = row;
  const { proxyPort } = await startBoth(answering(first + rest, headers));
  const answer = await open(proxyPort);
  expect(await nextOf(answer, masked.length)).toBe(masked);
  await expect(text(answer)).rejects.toThrow('aborted');
});

test('a refusal of the PDP is the status of a stream', async () => {
  for (const headers of [NDJSON, EVENTS]) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const { proxyPort } = await startBoth(answering('{"a":1}\n', headers), {}, { status: 403, body: 'no' });
    // oxlint-disable-next-line no-await-in-loop
    expect((await call(proxyPort, { method: 'GET', path: '/a' })).status).toBe(403);
  }
});

test('a long stream to a client that does not read waits in the application, not in memory', async () => {
  const endless = unending(`{"ssn":"${SECRET}","more":"${'x'.repeat(1000)}"}\n`.repeat(64), NDJSON);
  const { proxyPort } = await startBoth(endless.answer);
  const answer = await open(proxyPort);
  answer.pause();
  expect(await settled(() => endless.sent)).toBeLessThan(2 ** 25);
  answer.destroy();
});

test('a stream to a client that does not read for too long is cut, and does not end', async () => {
  const records = `{"ssn":"${SECRET}","more":"${'x'.repeat(1000)}"}\n`.repeat(20_000);
  const { proxyPort, logged } = await startBoth(answering(records, NDJSON), { answerTimeout: 200 });
  const socket = await connected(proxyPort);
  socket.pause();
  socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => logged.some((line) => line.includes('Proxied')));
  const received = await restOf(socket).catch(() => 'reset');
  expect(received).not.toMatch(/\r\n0\r\n\r\n$/u);
  expect(received).not.toContain(SECRET);
});

test('the same warning about each of many records is one line', async () => {
  const leaf = { attribute: 'age', type: 'INTEGER', operator: 'GREATER', values: ['5'] };
  const privilege = { ...maskRule('ssn', { OR: [{ AND: [leaf] }] }), attributes: { column: 'ssn' } };
  const body = decision({ allowed: [privilege] });
  const records = '{"age":"unknown","ssn":"1"}\n'.repeat(50);
  const { proxyPort, logged } = await startBoth(answering(records, NDJSON), { attrName: 'column' }, { body });
  expect((await call(proxyPort, { method: 'GET', path: '/a' })).text).toBe(records);
  await eventually(() => logged.some((line) => line.includes('Proxied')));
  const warnings = logged.filter((line) => line.includes('values of another type'));
  expect(warnings.map((line): unknown => JSON.parse(line))).toMatchObject([{ level: 'warn', count: 1 }]);
  expect(JSON.parse(logged.find((line) => line.includes('Proxied')) ?? '')).toMatchObject({ unreadable: 50 });
});

test('nothing goes on waiting for a client that has taken what it was sent', async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const listeners = () => ['drain', 'close'].map((event) => response.listenerCount(event));
  const before = listeners();
  const written = writeInTime(response, Buffer.alloc(2 ** 20), 60_000);
  await new Promise(setImmediate);
  response.emit('drain');
  expect(await written).toBe(true);
  expect(listeners()).toEqual(before);
});

test('nothing waits for a client that has gone', async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket())).destroy();
  await new Promise(setImmediate);
  const waiting = new Promise((resolve) => setImmediate(resolve, 'still waiting'));
  const written = writeInTime(response, Buffer.alloc(2 ** 20), 60_000);
  expect(await Promise.race([written, waiting])).toBe(false);
});
