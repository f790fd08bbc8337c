import { createHash } from 'node:crypto';
import { get, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ChunkQueue } from '../../../src/places/proxy/chunk-queue.ts';
import { EventStreamSplitter } from '../../../src/places/answer/records/event-stream.ts';
import { NdjsonSplitter } from '../../../src/places/answer/records/ndjson.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { SECRET, startBoth } from '../proxy/setup.ts';

afterEach(closeAll);

const MEBIBYTE = 2 ** 20;
const LIMIT = { bytes: 4 * MEBIBYTE, key: 'maxBody' };
const ignore = (): void => undefined;

/** What the process holds after a full collection, in bytes. */
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Sends a text so many times, as fast as it is taken. */
function repeating(block: string, times: number, type: string): RequestListener {
  return (_request, response) => {
    let sent = 0;
    response.writeHead(200, { 'content-type': type });
    const more = (): void => {
      while (sent < times) {
        sent++;
        if (!response.write(block)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  };
}

interface Taken {
  readonly bytes: number;
  readonly hash: string;
  /** The most that was held while it arrived, in bytes. */
  readonly most: number;
}

function takeAll(port: number): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path: '/a' }, (answer) => {
      const hash = createHash('sha256');
      let bytes = 0;
      let most = 0;
      let measured = 0;
      answer.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        bytes += chunk.length;
        if (bytes - measured < 12 * MEBIBYTE) return;
        measured = bytes;
        most = Math.max(most, held());
      });
      answer.once('end', () => resolve({ bytes, hash: hash.digest('hex'), most }));
      answer.once('error', reject);
    });
    request.once('error', reject);
  });
}

function record(ssn: string): string {
  return `${JSON.stringify({ ssn, more: 'x'.repeat(1000) })}\n`;
}

test('what the proxy holds of a stream of 30 MB is a small part of it', async () => {
  const times = 480;
  const { proxyPort } = await startBoth(repeating(record(SECRET).repeat(64), times, 'application/x-ndjson'));
  const before = held();
  const { bytes, hash, most } = await takeAll(proxyPort);
  const expected = createHash('sha256');
  for (let i = 0; i < times; i++) expected.update(record('***').repeat(64));
  expect(bytes).toBe(record('***').length * 64 * times);
  expect(hash).toBe(expected.digest('hex'));
  expect(most - before).toBeLessThan(20 * MEBIBYTE);
});

/** Takes what a chunk completes, which is nothing. */
function expectNone(items: Iterable<unknown>): void {
  for (const item of items) throw new Error(`there is ${String(item)}`);
}

describe('what arrives byte by byte takes little more than its size', () => {
  test('in a line of NDJSON', () => {
    const before = held();
    const splitter = new NdjsonSplitter({ limit: LIMIT, maxDepth: 10 });
    for (let i = 0; i < MEBIBYTE / 4; i++) expectNone(splitter.push(Buffer.from('x')));
    expect(held() - before).toBeLessThan(4 * MEBIBYTE);
    const [item] = splitter.push(Buffer.from('\n'));
    expect(item).toMatchObject({ json: { length: MEBIBYTE / 4 } });
  });

  test.each(['data\n', 'id\n', 'data:\r\n'])('in an event of lines %j', (line) => {
    const before = held();
    const splitter = new EventStreamSplitter({ limit: LIMIT, maxDepth: 10, passesNonJson: false });
    const chunk = Buffer.from(line.repeat(10_000));
    for (let i = 0; i < 60; i++) expectNone(splitter.push(chunk));
    expect(held() - before).toBeLessThan(12 * MEBIBYTE);
    expect([...splitter.push(Buffer.from('\n'))].length).toBeGreaterThan(0);
  });

  test('while it waits to be enforced: the application has to wait earlier', () => {
    const paused: number[] = [];
    let chunks = 0;
    const pause = (): void => void paused.push(chunks);
    const queue = new ChunkQueue({ pause, resume: ignore, unbound: ignore, abort: ignore });
    for (; chunks < 3000; chunks++) queue.data(Buffer.from('x'));
    expect(paused[0]).toBeLessThan(2000);
  });
});
