import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, problemIn, type Answer } from '../../support/caller.ts';
import { exchanged } from '../../support/wire.ts';
import { answering, SECRET, startBoth } from './setup.ts';

afterEach(closeAll);

const NDJSON = { 'content-type': 'application/x-ndjson' };
const SEQUENCE = { 'content-type': 'application/json-seq' };
const EVENTS = { 'content-type': 'text/event-stream' };

/** Sends a text in pieces of so many bytes. */
function inPieces(body: string, size: number, headers: Readonly<Record<string, string>>): RequestListener {
  const bytes = Buffer.from(body);
  return (_request, response) => {
    response.writeHead(200, headers);
    for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
    response.end();
  };
}

async function answerTo(handler: RequestListener, written = {}): Promise<Answer> {
  const { proxyPort } = await startBoth(handler, written);
  return call(proxyPort, { method: 'GET', path: '/a' });
}

async function open(port: number): Promise<IncomingMessage> {
  const [answer]: IncomingMessage[] = await once(get({ port, host: '127.0.0.1', path: '/a' }), 'response');
  if (answer === undefined) throw new Error('there is no answer');
  return answer;
}

/** The next piece of an answer. */
async function nextOf(answer: IncomingMessage): Promise<string> {
  const [chunk]: unknown[] = await once(answer, 'data');
  return String(chunk);
}

describe.each([1, 7, 10_000])('in pieces of %d bytes', (size) => {
  test('each line of NDJSON is enforced as a payload', async () => {
    const body = `{"ssn":"${SECRET}"}\n\r\n[{"ssn":"é"},{"a":1.10}]\r\n{"ssn":"${SECRET}"}`;
    expect(await answerTo(inPieces(body, size, NDJSON))).toMatchObject({
      status: 200,
      text: '{"ssn":"***"}\n\n[{"ssn":"***"},{"a":1.10}]\r\n{"ssn":"***"}',
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'private' },
    });
  });

  test('each record of a JSON text sequence is enforced as a payload', async () => {
    const body = `\x1e{"ssn":"${SECRET}"}\n\x1e\x1e{\n"ssn":\n"${SECRET}"\n}\n\x1e{"a":1}`;
    expect((await answerTo(inPieces(body, size, SEQUENCE))).text).toBe(
      '\x1e{"ssn":"***"}\n\n\x1e{\n"ssn":\n"***"\n}\n\n\x1e{"a":1}\n'.replaceAll('\n\n', '\n'),
    );
  });

  test('the data of each event is enforced as a payload; comments lose their text', async () => {
    const body = [
      `\ufeffdata: {"ssn":"${SECRET}"}`,
      '',
      `: ${SECRET}`,
      `event: change\r\ndata:{"ssn":\r\ndata: "${SECRET}"}\r\nid: 7\r\n\r`,
      `retry: 10\rdata: {"a":1}\r\rdata\n\n${SECRET}: 1\ndata: {"ssn":"not finished"}`,
    ].join('\n');
    expect((await answerTo(inPieces(body, size, EVENTS))).text).toBe(
      [
        'data: {"ssn":"***"}\n\n',
        ':\n',
        'event: change\nid: 7\ndata: {"ssn":\ndata: "***"}\n\n',
        'retry: 10\ndata: {"a":1}\n\n',
        'data: \n\n',
      ].join(''),
    );
  });
});

test('a stream that is compressed is enforced, too', async () => {
  const body = `{"ssn":"${SECRET}"}\n`.repeat(1000);
  const handler = answering(gzipSync(body), { ...NDJSON, 'content-encoding': 'gzip' });
  expect((await answerTo(handler)).text).toBe('{"ssn":"***"}\n'.repeat(1000));
});

describe('the first record is sent before the last one has arrived', () => {
  test.each([
    ['NDJSON', NDJSON, `{"ssn":"${SECRET}"}\n`, '{"ssn":"***"}\n'],
    ['a JSON text sequence', SEQUENCE, `\x1e{"ssn":"${SECRET}"}\n`, '\x1e{"ssn":"***"}\n'],
    ['events', EVENTS, `data: {"ssn":"${SECRET}"}\n\n`, 'data: {"ssn":"***"}\n\n'],
  ])('of %s', async (_name, headers, record, masked) => {
    const next = Promise.withResolvers<void>();
    const { proxyPort } = await startBoth((_request, response) => {
      response.writeHead(200, headers).write(record);
      void next.promise.then(() => response.end(record));
    });
    const answer = await open(proxyPort);
    expect((await nextOf(answer)).trimEnd()).toBe(masked.trimEnd());
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

test('the PDP is asked once for the records of a stream', async () => {
  const { proxyPort, pdp } = await startBoth(answering(`{"ssn":"${SECRET}"}\n`.repeat(500), NDJSON));
  await call(proxyPort, { method: 'GET', path: '/a' });
  expect(pdp.requests).toHaveLength(1);
});

describe('a record that cannot be enforced', () => {
  const first: readonly [string, Readonly<Record<string, string>>, string][] = [
    ['is half a line', NDJSON, `{"ssn":"${SECRET}"\n`],
    ['is text', NDJSON, `${SECRET}\n`],
    ['is a string', NDJSON, `"${SECRET}"\n`],
    ['has nothing before it', SEQUENCE, `{"ssn":"${SECRET}"}\n`],
    ['is a number', SEQUENCE, '\x1e42\n'],
    ['is too large', NDJSON, `{"ssn":"${SECRET}${'x'.repeat(2 ** 20)}"}\n`],
  ];
  test.each(first)('and comes first is answered with 502, if it %s', async (_name, headers, body) => {
    const answer = await answerTo(answering(body, headers), { proxy: { maxBody: 1 } });
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:response-not-enforceable');
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  const later: readonly [string, Readonly<Record<string, string>>, string][] = [
    ['NDJSON', NDJSON, `{"ssn":"${SECRET}"}\n${SECRET}\n{"a":1}\n`],
    ['a JSON text sequence', SEQUENCE, `\x1e{"ssn":"${SECRET}"}\n\x1e{"ssn":"${SECRET}"\n\x1e{}\n`],
    ['a JSON text sequence', SEQUENCE, `\x1e{"ssn":"${SECRET}"}\n"${SECRET}"\n`],
    ['events', EVENTS, `data: {"a":1}\n\ndata: ${SECRET}\n\ndata: {"a":2}\n\n`],
    ['events with a string', EVENTS, `data: {"a":1}\n\ndata: "${SECRET}"\n\n`],
    ['an event without an end', EVENTS, `data: {"a":1}\n\n${`data: ${'x'.repeat(60_000)}\n`.repeat(20)}`],
    ['a comment without an end', EVENTS, `data: {"a":1}\n\n:${'x'.repeat(2 ** 20)}`],
  ];
  test.each(later)('and comes later breaks the answer off: %s', async (_name, headers, body) => {
    const { proxyPort } = await startBoth(inPieces(body, 30, headers), { proxy: { maxBody: 1 } });
    const outcome = await call(proxyPort, { method: 'GET', path: '/a' }).then(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
    expect([502, 'Error: aborted', 'Error: socket hang up']).toContain(outcome);
  });

  test.each(later)('and nothing of it or after it is sent: %s', async (_name, headers, body) => {
    const { proxyPort } = await startBoth(inPieces(body, 30, headers), { proxy: { maxBody: 1 } });
    const request = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const received = await exchanged(proxyPort, request).catch(() => 'reset');
    expect(received).not.toContain(SECRET);
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/u);
  });
});

test('nonJson: pass lets the text of events through, and still masks their JSON', async () => {
  const body = `data: {"ssn":"${SECRET}"}\n\ndata: [DONE]\n\n`;
  const answer = await answerTo(answering(body, EVENTS), { otherwise: { nonJson: 'pass' } });
  expect(answer.text).toBe('data: {"ssn":"***"}\n\ndata: [DONE]\n\n');
});

test('a stream that breaks off is never ended as if it were whole', async () => {
  const { proxyPort } = await startBoth((_request, response) => {
    response.writeHead(200, NDJSON).write(`{"ssn":"${SECRET}"}\n{"ssn":"`);
    setTimeout(() => response.destroy(), 50);
  });
  const answer = await open(proxyPort);
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
  const line = `${JSON.stringify({ ssn: SECRET, more: 'x'.repeat(1000) })}\n`.repeat(64);
  let sent = 0;
  const { proxyPort } = await startBoth((_request, response) => {
    response.writeHead(200, NDJSON);
    const more = (): void => {
      do sent += line.length;
      while (response.write(line) && sent < 2 ** 28);
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const answer = await open(proxyPort);
  answer.pause();
  let before = -1;
  while (before !== sent) {
    before = sent;
    // oxlint-disable-next-line no-await-in-loop -- until nothing moves any more
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(sent).toBeLessThan(2 ** 25);
  answer.destroy();
});
