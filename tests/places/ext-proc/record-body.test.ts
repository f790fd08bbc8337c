import { expect, test } from '@jest/globals';
import type { RecordPiece } from '../../../src/places/answer/index.ts';
import { Handover } from '../../../src/places/ext-proc/handover.ts';
import { bytesOf } from '../../../src/places/ext-proc/protocol/encoded.ts';
import { RecordBody } from '../../../src/places/ext-proc/record-body.ts';

const PART = 2 ** 20;

/** Sends each chunk as it is. */
async function* unchanged(chunks: AsyncIterable<Buffer>): AsyncGenerator<RecordPiece> {
  for await (const chunk of chunks)
    yield { chunks: [chunk], length: chunk.length, copy: () => Buffer.from(chunk) };
}

interface Sending {
  readonly body: RecordBody;
  /** How many bytes were sent. */
  readonly sent: () => number;
  /** Has Envoy read what is sent. */
  readonly read: () => void;
}

/** A body of records, to an Envoy that reads nothing yet. */
function sending(): Sending {
  let sent = 0;
  const reading = Promise.withResolvers<void>();
  const outlet = {
    signal: new AbortController().signal,
    fail: () => undefined,
    send: (answer: Parameters<typeof bytesOf>[0]) => {
      sent += bytesOf(answer).length;
      return reading.promise;
    },
  };
  const body = new RecordBody({
    mask: unchanged,
    outlet,
    sendHead: () => Promise.resolve(),
    onFailure: () => undefined,
  });
  return { body, sent: () => sent, read: () => reading.resolve() };
}

test('A part of a stream is freed as soon as its records are sent, and not before', async () => {
  const { body, sent, read } = sending();
  const part = Buffer.alloc(PART, 'x');
  const taken = body.take({ body: part, last: false });
  await new Promise(setImmediate);
  expect(part).toHaveLength(PART);
  read();
  await taken;
  expect(part).toHaveLength(0);
  expect(sent()).toBeGreaterThan(PART);
});

test('A part that is given up while it is masked is left alone', async () => {
  const { body, read } = sending();
  const part = Buffer.alloc(PART, 'x');
  const taken = body.take({ body: part, last: false });
  body.close();
  await taken;
  expect(part).toHaveLength(PART);
  read();
});

test('Who waits for the next part of a stream that is given up learns of it', async () => {
  const handover = new Handover();
  const next = handover[Symbol.asyncIterator]().next();
  handover.close();
  await expect(next).rejects.toThrow('The stream was given up.');
});
