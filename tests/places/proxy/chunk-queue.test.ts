import { expect, jest, test } from '@jest/globals';
import { ChunkQueue } from '../../../src/places/proxy/chunk-queue.ts';

/** A queue with so many chunks that nobody has taken, and how often it had the application wait and go on. */
function filled(chunks: number, length: number) {
  const flow = { pause: jest.fn(), resume: jest.fn(), unbound: jest.fn(), abort: jest.fn() };
  const queue = new ChunkQueue(flow);
  for (let chunk = 0; chunk < chunks; chunk++) queue.data(Buffer.alloc(length));
  return { queue, flow };
}

function sendByByte(queue: ChunkQueue, text: string): void {
  for (const letter of text) queue.data(Buffer.from(letter));
}

/** Takes the first part of what has arrived. */
async function taken(queue: ChunkQueue): Promise<number> {
  const { value } = await queue[Symbol.asyncIterator]().next();
  return value?.length ?? NaN;
}

test.each([
  [5, 64 * 1024, 64 * 1024],
  [2000, 1, 2000],
])(
  'an application waits that sends %d chunks of %d bytes, until they are taken',
  async (chunks, length, first) => {
    const { queue, flow } = filled(chunks, length);
    expect(flow.pause).toHaveBeenCalled();
    expect(flow.resume).not.toHaveBeenCalled();
    expect(await taken(queue)).toBe(first);
    expect(flow.resume).toHaveBeenCalledTimes(1);
  },
);

test('an application does not wait for a few chunks', async () => {
  const { queue, flow } = filled(100, 1024);
  expect(await taken(queue)).toBe(1024);
  expect(flow.pause).not.toHaveBeenCalled();
  expect(flow.resume).not.toHaveBeenCalled();
});

test('what arrives byte by byte is taken together, and long chunks as they are', async () => {
  const { queue } = filled(0, 0);
  const letters = 'abcdefghij'.repeat(1000);
  const parts: string[] = [];
  sendByByte(queue, letters);
  queue.data(Buffer.from(letters));
  queue.data(Buffer.from(letters));
  sendByByte(queue, letters);
  queue.end();
  for await (const part of queue) parts.push(part.toString());
  expect(parts).toEqual([letters, letters, letters, letters]);
});
