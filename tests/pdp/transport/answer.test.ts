import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpTransport } from '../../../src/pdp/transport/adapter.ts';
import type { Answers } from '../../../src/pdp/port.ts';
import type { StubAnswer } from '../stub.ts';
import { closeAll, question, rejection, startPair, stopLater } from './setup.ts';

afterEach(closeAll);

/** Asks a PDP that answers each of several messages alike. The longest answer may have 1,000 bytes. */
async function answersTo(count: number, answer: StubAnswer): Promise<Answers> {
  const { stub } = await startPair(answer);
  const pdp = createHttpTransport({ origin: stub.url, timeout: 10_000, maxAnswerBytes: 1000 });
  stopLater(() => pdp.close());
  const message = { url: stub.url, body: Buffer.from('{}') };
  return pdp.decide({ ...question(), messages: Array.from({ length: count }, () => message) });
}

const DECISION = Buffer.from('{"tokenValidity":0,"response":[{"access":[]}]}');

describe('a successful answer of a PDP over HTTP', () => {
  it.each([200, 201, 299])('is its bytes, with status %d', async (status) => {
    const { pdp } = await startPair({ status, body: DECISION });
    expect(Buffer.from(await pdp.decide(question()))).toEqual(DECISION);
  });

  it('is empty if the PDP says nothing', async () => {
    const { pdp } = await startPair({ status: 204 });
    expect(await pdp.decide(question())).toHaveLength(0);
  });

  it.each(['{"response":[', '<html>', '\uFEFF{}', '"text"'])(
    'is left as it is if it is no decision: %s',
    async (body) => {
      const { pdp } = await startPair({ body, headers: { 'content-type': 'application/json' } });
      expect(Buffer.from(await pdp.decide(question())).toString()).toBe(body);
    },
  );

  it.each([
    ['gzip', gzipSync(DECISION)],
    ['GZIP', gzipSync(DECISION)],
    ['x-gzip', gzipSync(DECISION)],
    ['deflate', deflateSync(DECISION)],
    ['deflate', deflateRawSync(DECISION)],
    ['br', brotliCompressSync(DECISION)],
    ['identity', DECISION],
  ])('is decompressed from %s', async (encoding, body) => {
    const { pdp } = await startPair({ body, headers: { 'content-encoding': encoding } });
    expect(Buffer.from(await pdp.decide(question()))).toEqual(DECISION);
  });

  it.each([
    ['gzip', gzipSync(DECISION).subarray(0, -12)],
    ['deflate', deflateSync(DECISION).subarray(0, -8)],
    ['br', brotliCompressSync(DECISION).subarray(0, -4)],
    ['gzip', DECISION],
    ['deflate', Buffer.from([0xff])],
    ['br', Buffer.alloc(0)],
    ['gzip', Buffer.concat([gzipSync(DECISION), DECISION])],
    ['deflate', Buffer.concat([deflateSync(DECISION), DECISION])],
    ['deflate', Buffer.concat([deflateRawSync(DECISION), DECISION])],
    ['br', Buffer.concat([brotliCompressSync(DECISION), brotliCompressSync(DECISION)])],
  ])('is a failure if it is not whole, not in %s, or more follows', async (encoding, body) => {
    const { pdp } = await startPair({ body, headers: { 'content-encoding': encoding } });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-failed',
      message: 'The answer of the PDP cannot be decompressed.',
    });
  });

  it.each(['zstd', 'gzip, gzip', 'nonsense'])(
    'is a failure in the encoding %s, which was not asked for',
    async (encoding) => {
      const { pdp } = await startPair({ body: DECISION, headers: { 'content-encoding': encoding } });
      expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-failed' });
    },
  );

  it('may have as many bytes as allowed, and not one more', async () => {
    const { pdp, stub } = await startPair({}, { maxAnswerBytes: 1000 });
    stub.answer({ body: 'x'.repeat(1000) });
    expect(await pdp.decide(question())).toHaveLength(1000);
    stub.answer({ body: 'x'.repeat(1001) });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-failed',
      message: 'The answer of the PDP is larger than 1000 bytes.',
    });
  });

  it.each([
    ['as they are', {}, (body: Buffer) => body],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync],
  ])('may be of several messages, %s, of at most four of the longest', async (_name, headers, compress) => {
    const answers = await answersTo(40, { headers, body: compress(Buffer.alloc(100, 0x20)) });
    expect(answers.map(({ byteLength }) => byteLength)).toEqual(Array.from({ length: 40 }, () => 100));
    expect(
      await rejection(answersTo(41, { headers, body: compress(Buffer.alloc(100, 0x20)) })),
    ).toMatchObject({
      code: 'pdp-failed',
      message: 'The answers of the PDP are larger than 4000 bytes together.',
    });
  });

  it('is given up if it is gigantic', async () => {
    const { pdp } = await startPair({ body: Buffer.alloc(50_000_000, 0x20) });
    expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-failed' });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is given up if a few bytes of %s inflate to more than allowed', async (encoding, compress) => {
    const body = compress(Buffer.alloc(10_000_000));
    expect(body.length).toBeLessThan(100_000);
    const { pdp } = await startPair({ body, headers: { 'content-encoding': encoding } });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-failed',
      message: 'The answer of the PDP is larger than 100000 bytes.',
    });
  });
});

describe('an unsuccessful answer of a PDP over HTTP', () => {
  it.each([300, 304, 400, 404, 407, 429, 500, 503])(
    'is a failure that names the status %d',
    async (status) => {
      const { pdp } = await startPair({ status, body: '{"secret":"of the PDP"}' });
      expect(await rejection(pdp.decide(question()))).toMatchObject({
        code: 'pdp-failed',
        message: `The PDP answered with status ${status}.`,
      });
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'is a failure with status %d, and the place it points to gets nothing',
    async (status) => {
      const elsewhere = await startPair();
      const { pdp, stub } = await startPair({ status, headers: { location: elsewhere.stub.url.href } });
      const asked = question({ headers: [['Authorization', 'Bearer abc.def.ghi']] });
      expect(await rejection(pdp.decide(asked))).toMatchObject({ code: 'pdp-failed' });
      expect(stub.requests).toHaveLength(1);
      expect(elsewhere.stub.connections()).toBe(0);
    },
  );
});
