import { performance } from 'node:perf_hooks';
import { setImmediate as loopPass } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Turns } from '../../src/enforcement/turns.ts';

const MB = 1024 * 1024;

/** Work that holds the event loop for longer than a slice. */
function hold(): void {
  const end = performance.now() + 6;
  while (performance.now() < end);
}

/** Takes turns of these sizes at once. @returns the sizes in the order in which they were worked on */
async function orderOf(sizes: readonly number[]): Promise<readonly number[]> {
  const turns = new Turns();
  const order: number[] = [];
  const work = (size: number) => (): void => {
    order.push(size);
    hold();
  };
  await Promise.all(sizes.map((size) => turns.take(size, work(size))));
  return order;
}

test('work is done at once where nothing holds the event loop', async () => {
  const turns = new Turns();
  let isDone = false;
  const taken = turns.take(1, () => {
    isDone = true;
  });
  expect(isDone).toBe(true);
  await taken;
});

test('what work returns is returned, and what it throws is thrown, and the next has its turn', async () => {
  const turns = new Turns();
  const failure = new Error('no');
  const fail = (): never => {
    hold();
    throw failure;
  };
  const results = await Promise.allSettled([
    turns.take(1, fail),
    turns.take(1, fail),
    turns.take(1, () => 3),
  ]);
  expect(results).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: 3 },
  ]);
});

test('the event loop passes several times between long pieces of work', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const pass = async (): Promise<void> => {
    await loopPass();
    if (log.length < 100 && log.filter((entry) => entry === 'work').length < 3) {
      log.push('pass');
      await pass();
    }
  };
  const work = (): void => {
    log.push('work');
    hold();
  };
  await Promise.all([turns.take(1, work), turns.take(1, work), turns.take(1, work), pass()]);
  expect(log.join(' ')).toMatch(/^work( pass){3,} work( pass){3,} work$/u);
});

test('short pieces of work are done together', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const first = turns.take(1, hold);
  const short = [1, 2, 3].map((name) => turns.take(1, () => void order.push(`work ${name}`)));
  await first;
  await Promise.all([...short, turns.take(1, () => void order.push('work 4'))]);
  expect(order).toEqual(['work 1', 'work 2', 'work 3', 'work 4']);
});

test('small pieces go before large ones that came at the same time', async () => {
  expect(await orderOf([1, 4 * MB, 2, 8 * MB, 3])).toEqual([1, 2, 3, 4 * MB, 8 * MB]);
});

test('pieces of one size go in the order in which they came', async () => {
  const turns = new Turns();
  const order: number[] = [];
  const pieces = Array.from({ length: 10 }, (_, i) =>
    turns.take(100, () => {
      order.push(i);
      hold();
    }),
  );
  await Promise.all(pieces);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
