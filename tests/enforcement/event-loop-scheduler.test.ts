import { performance } from 'node:perf_hooks';
import { setImmediate as loopPass } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { EventLoopScheduler, Rest } from '../../src/enforcement/event-loop-scheduler.ts';

const MB = 1024 * 1024;

/** Work that holds the event loop for longer than a slice. */
function hold(): void {
  const end = performance.now() + 6;
  while (performance.now() < end);
}

/** Runs tasks of these sizes at once. @returns the sizes in the order in which they ran */
async function orderOf(sizes: readonly number[]): Promise<readonly number[]> {
  const scheduler = new EventLoopScheduler();
  const order: number[] = [];
  const work = (size: number) => (): void => {
    order.push(size);
    hold();
  };
  await Promise.all(sizes.map((size) => scheduler.run(size, work(size))));
  return order;
}

test('a task runs at once if nothing holds the event loop', async () => {
  const scheduler = new EventLoopScheduler();
  let isDone = false;
  const taken = scheduler.run(1, () => {
    isDone = true;
  });
  expect(isDone).toBe(true);
  await taken;
});

test('the result and the error of a task reach its caller, and the next task runs', async () => {
  const scheduler = new EventLoopScheduler();
  const failure = new Error('no');
  const fail = (): never => {
    hold();
    throw failure;
  };
  const results = await Promise.allSettled([
    scheduler.run(1, fail),
    scheduler.run(1, fail),
    scheduler.run(1, () => 3),
  ]);
  expect(results).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: 3 },
  ]);
});

test('the event loop passes several times between long tasks', async () => {
  const scheduler = new EventLoopScheduler();
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
  await Promise.all([scheduler.run(1, work), scheduler.run(1, work), scheduler.run(1, work), pass()]);
  expect(log.join(' ')).toMatch(/^work( pass){3,} work( pass){3,} work$/u);
});

test('short pieces of work are done together', async () => {
  const scheduler = new EventLoopScheduler();
  const order: string[] = [];
  const first = scheduler.run(1, hold);
  const short = [1, 2, 3].map((name) => scheduler.run(1, () => void order.push(`work ${name}`)));
  await first;
  await Promise.all([...short, scheduler.run(1, () => void order.push('work 4'))]);
  expect(order).toEqual(['work 1', 'work 2', 'work 3', 'work 4']);
});

test('small pieces go before large ones that came at the same time', async () => {
  expect(await orderOf([1, 4 * MB, 2, 8 * MB, 3])).toEqual([1, 2, 3, 4 * MB, 8 * MB]);
});

test('pieces of one size go in the order in which they came', async () => {
  const scheduler = new EventLoopScheduler();
  const order: number[] = [];
  const pieces = Array.from({ length: 10 }, (_, i) =>
    scheduler.run(100, () => {
      order.push(i);
      hold();
    }),
  );
  await Promise.all(pieces);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

/** Steps that each hold the event loop for longer than a slice. */
function* stepsInto(log: string[], count: number): Generator<undefined, string> {
  for (let done = 0; done < count; done++) {
    if (done > 0) yield;
    log.push('step');
    hold();
  }
  return 'finished';
}

describe('a task in steps', () => {
  test('lets the event loop pass several times between two steps', async () => {
    const log: string[] = [];
    const pass = (): void => {
      log.push('pass');
      if (!log.includes('done')) setImmediate(pass);
    };
    const task = new EventLoopScheduler().runInSteps(1, stepsInto(log, 3));
    setImmediate(pass);
    expect(await task).toBe('finished');
    log.push('done');
    expect(log.join(' ')).toMatch(/^step( pass){3,} step( pass){3,} step( pass)* done$/u);
  });

  test('runs to its end before another one begins, whatever its size', async () => {
    const scheduler = new EventLoopScheduler();
    const order: string[] = [];
    const first = scheduler.runInSteps(4 * MB, stepsInto(order, 3));
    const others: Promise<unknown>[] = [
      scheduler.run(1, () => order.push('short')),
      scheduler.runInSteps(1, stepsInto(order, 2)),
    ];
    await loopPass();
    others.push(scheduler.run(1, () => order.push('late')));
    await Promise.all([first, ...others]);
    expect(order).toEqual(['step', 'step', 'step', 'short', 'step', 'step', 'late']);
  });

  test.each([0, 1, 2])('that fails after %i steps rejects, and the next one runs', async (count) => {
    const scheduler = new EventLoopScheduler();
    const failure = new Error('no');
    function* failing(): Generator<undefined, string> {
      for (let done = 0; done < count; done++) {
        hold();
        yield;
      }
      throw failure;
    }
    const results = await Promise.allSettled([
      scheduler.runInSteps(1, failing()),
      scheduler.runInSteps(1, stepsInto([], 2)),
      scheduler.run(1, () => 3),
    ]);
    expect(results).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 'finished' },
      { status: 'fulfilled', value: 3 },
    ]);
  });
});

describe('a task that goes on in steps', () => {
  test('begins at once, and runs to its end before another one begins', async () => {
    const scheduler = new EventLoopScheduler();
    const order: string[] = [];
    const first = scheduler.runSoon<string>(4 * MB, () => {
      order.push('begins');
      return new Rest(stepsInto(order, 3));
    });
    expect(order).toContain('begins');
    const others = [
      scheduler.run(1, () => order.push('short')),
      scheduler.runInSteps(1, stepsInto(order, 1)),
    ];
    await loopPass();
    others.push(scheduler.run(1, () => order.push('late')));
    expect(await first).toBe('finished');
    await Promise.all(others);
    expect(order).toEqual(['begins', 'step', 'step', 'step', 'short', 'step', 'late']);
  });

  test('may have to wait, and may fail', async () => {
    const scheduler = new EventLoopScheduler();
    const order: string[] = [];
    const failure = new Error('no');
    function* failing(): Generator<undefined, string> {
      yield;
      order.push('fails');
      throw failure;
    }
    const results = await Promise.allSettled([
      scheduler.runInSteps(1, stepsInto(order, 2)),
      scheduler.runSoon(1, () => new Rest(failing())),
      scheduler.runSoon(1, () => new Rest(stepsInto(order, 1))),
      scheduler.run(1, () => 3),
    ]);
    expect(results).toEqual([
      { status: 'fulfilled', value: 'finished' },
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 'finished' },
      { status: 'fulfilled', value: 3 },
    ]);
    expect(order).toEqual(['step', 'step', 'fails', 'step']);
  });
});
