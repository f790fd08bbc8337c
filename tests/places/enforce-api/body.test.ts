import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn, type Call } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { startEnforcement } from '../../support/service.ts';
import { connected, restOf } from '../../support/wire.ts';

afterEach(closeAll);

const MB = 1024 * 1024;
const BODY = enforcing('[{"ssn":"1","name":"Zoë"}]');
const MASKED = '[{"ssn":"***","name":"Zoë"}]';

const ENCODINGS = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const;

/** A request of so many bytes. */
function sized(bytes: number): string {
  return enforcing(`["${'x'.repeat(bytes - enforcing('[""]').length)}"]`);
}

/** What a service says that takes 1 MB and has one property masked. */
async function answerTo(sent: Call) {
  const body = decision({ access: [maskRule('ssn')] });
  const service = await startEnforcement({ body }, { maxBody: 1 });
  const answer = await call(service.port, sent);
  return { answer, asked: service.pdp.requests.length };
}

describe('a compressed body', () => {
  test.each(ENCODINGS)('is enforced like any other: %s', async (encoding, compress) => {
    const { answer } = await answerTo({ body: compress(BODY), headers: { 'content-encoding': encoding } });
    expect(answer).toMatchObject({ status: 200, text: MASKED });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test.each(['GZIP', 'Gzip'])('may name its encoding in any case: %s', async (encoding) => {
    const { answer } = await answerTo({ body: gzipSync(BODY), headers: { 'content-encoding': encoding } });
    expect(answer.text).toBe(MASKED);
  });

  test('may say that it is not', async () => {
    const { answer } = await answerTo({ body: BODY, headers: { 'content-encoding': 'identity' } });
    expect(answer.text).toBe(MASKED);
  });

  test.each(ENCODINGS)('is refused if more follows, or if it is cut off: %s', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding };
    for (const body of [Buffer.concat([compress(BODY), Buffer.from('{}')]), compress(BODY).subarray(0, -3)]) {
      // oxlint-disable-next-line no-await-in-loop -- one service at a time
      const { answer, asked } = await answerTo({ body, headers });
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('cannot be decompressed') });
      expect(asked).toBe(0);
    }
  });

  test.each(ENCODINGS)(
    'may have as many bytes as allowed when inflated, and not one more: %s',
    async (encoding, compress) => {
      const headers = { 'content-encoding': encoding };
      expect((await answerTo({ body: compress(sized(MB)), headers })).answer.status).toBe(200);
      expect((await answerTo({ body: compress(sized(MB + 1)), headers })).answer.status).toBe(413);
    },
  );

  test.each(ENCODINGS)('is given up if a few bytes stand for very many: %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(100 * MB, ' '));
    expect(bomb.length).toBeLessThan(MB);
    const headers = { 'content-encoding': encoding };
    const declared = await answerTo({ body: bomb, headers });
    const chunked = await answerTo({ body: [bomb], headers });
    expect(problemIn(chunked.answer).detail).toBe('The body has more than 1048576 bytes (maxBody).');
    expect([declared, chunked]).toMatchObject([
      { answer: { status: 413 }, asked: 0 },
      { answer: { status: 413 }, asked: 0 },
    ]);
  });

  test.each(['zstd', 'foo', 'compress', 'gzip, gzip', 'identity, gzip'])(
    'is refused in the encoding %s',
    async (encoding) => {
      const { answer, asked } = await answerTo({ body: BODY, headers: { 'content-encoding': encoding } });
      expect(answer.status).toBe(415);
      expect(problemIn(answer).detail).toBe(
        `The content encoding has to be gzip, deflate or br, or none; it is "${encoding}".`,
      );
      expect(asked).toBe(0);
    },
  );
});

describe('a large body', () => {
  test.each([
    ['with its length', (text: string) => text],
    ['in chunks', (text: string) => [Buffer.from(text.slice(0, 1000)), Buffer.from(text.slice(1000))]],
  ])('may have as many bytes as allowed, and not one more, sent %s', async (_, sent) => {
    expect((await answerTo({ body: sent(sized(MB)) })).answer.status).toBe(200);
    const beyond = await answerTo({ body: sent(sized(MB + 1)) });
    expect(beyond).toMatchObject({ answer: { status: 413, headers: { connection: 'close' } }, asked: 0 });
  });

  test('counts in bytes, not in characters', async () => {
    const text = sized(MB).replaceAll('x', 'é');
    expect((await answerTo({ body: text })).answer.status).toBe(413);
  });

  test('is refused as soon as it is announced', async () => {
    const { port } = await startEnforcement({}, { maxBody: 1 });
    const socket = await connected(port);
    const head = 'POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Content-Length: ${MB + 1}\r\n\r\n`);
    expect(await restOf(socket)).toMatch(/^HTTP\/1\.1 413 /u);
  });

  test('is asked for if the caller waits for that', async () => {
    const { port } = await startEnforcement();
    const socket = await connected(port);
    const head =
      'POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\nConnection: close\r\n';
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${BODY.length + 1}\r\n\r\n`);
    socket.once('data', () => socket.write(BODY));
    expect(await restOf(socket)).toContain('"name":"Zoë"');
  });
});

describe('the media type of a body', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; version=1',
    'application/vnd.bank+json',
    'application/problem+json; charset=utf8',
  ])('may be %s', async (type) => {
    const { answer } = await answerTo({ body: BODY, headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status: 200, text: MASKED });
  });

  test.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-seq',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset = latin1',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=',
    'application/json, text/plain',
    'json',
    '',
  ])('is refused if it is %j', async (type) => {
    const { answer, asked } = await answerTo({ body: BODY, headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
    const arrived = `its Content-Type is ${JSON.stringify(type)}.`;
    expect(problemIn(answer).detail).toBe(`The body has to be application/json, in UTF-8; ${arrived}`);
    expect(asked).toBe(0);
  });

  test('must be there once', async () => {
    const headers = { 'Content-Type': ['application/json', 'text/plain'] };
    const { answer, asked } = await answerTo({ body: BODY, headers });
    expect(answer.status).toBe(415);
    expect(problemIn(answer).detail).toBe('The request has more than one Content-Type.');
    expect(asked).toBe(0);
  });

  test('is not there twice if another field has its name for a value', async () => {
    const headers = { 'content-type': 'application/json', 'x-sorted-by': 'content-type' };
    expect((await answerTo({ body: BODY, headers })).answer.status).toBe(200);
  });

  test('must be there', async () => {
    const { answer } = await answerTo({ headers: { 'content-length': 0 } });
    expect(answer.status).toBe(415);
    expect(problemIn(answer).detail).toContain('; it is empty, and has no Content-Type.');
    const chunked = await answerTo({ headers: { 'transfer-encoding': 'chunked' } });
    expect(problemIn(chunked.answer).detail).toContain('; it has no Content-Type.');
  });

  test('is quoted on one line and not as a whole, to the caller alone', async () => {
    const service = await startEnforcement();
    const type = `text/\u009b31m"${'x'.repeat(5000)}`;
    const answer = await call(service.port, { body: BODY, headers: { 'content-type': type } });
    expect(problemIn(answer).detail).toMatch(/; its Content-Type is "text\/Â?\\u009b31m\\"x{50,256}…"\.$/u);
    await eventually(() => service.logged.length > 0);
    expect(service.logged.join('\n')).not.toContain('31m');
  });
});

test.each([
  ['with its length', { body: '' }],
  ['in chunks', { body: [] }],
  ['compressed', { body: gzipSync(''), headers: { 'content-encoding': 'gzip' } }],
])('a body that is empty is said to be, sent %s', async (_, sent) => {
  const { answer } = await answerTo(sent);
  expect(answer.status).toBe(400);
  expect(problemIn(answer).detail).toBe('The body is empty.');
});

test('a body that is not UTF-8 is refused, not repaired', async () => {
  const bytes = Buffer.from(BODY.replace('Zoë', 'Zo\u00eb'), 'latin1');
  const { answer, asked } = await answerTo({ body: bytes });
  expect(answer.status).toBe(400);
  expect(problemIn(answer).detail).toContain('invalid UTF-8');
  expect(asked).toBe(0);
});

test('the names of the parts may be spelt with escapes', async () => {
  const body = BODY.replace('"json"', '"j\\u0073on"').replace('"vendor"', '"\\u0076endor"');
  expect((await answerTo({ body })).answer.text).toBe(MASKED);
});
