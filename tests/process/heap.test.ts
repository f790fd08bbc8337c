import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import * as z from 'zod';

const run = promisify(execFile);

/** Loads V8 before and after it made the space of the young objects small, as it does in a process that idles. Prints sizes in bytes. */
const LOAD = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setImmediate as turn } from 'node:timers/promises';
  const { keepHeapSmall } = await import(process.argv[1]);

  const size = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size;
  const load = async () => {
    const alive = [];
    let most = 0;
    for (let i = 0; i < 4000; i++) {
      alive[i % 60] = Array.from({ length: 2000 }, () => ({ i }));
      await turn();
      most = Math.max(most, size());
    }
    return most;
  };

  keepHeapSmall();
  const first = await load();
  for (let i = 0; i < 3; i++) gc({ type: 'major', flavor: 'last-resort' });
  const idle = size();
  console.log(JSON.stringify({ first, idle, second: await load() }));
`;

const sizes = z.object({ first: z.number(), idle: z.number(), second: z.number() });
const MB = 2 ** 20;

test('the young objects have the same bounded space again after V8 made it small', async () => {
  const file = pathToFileURL(path.resolve('src/process/heap.ts')).href;
  const options = ['--expose-gc', '--input-type=module', '--eval', LOAD, file];
  const { stdout } = await run(process.execPath, options);
  const { first, idle, second } = sizes.parse(JSON.parse(stdout));
  expect(idle).toBeLessThan(2 * MB);
  for (const size of [first, second]) {
    expect(size).toBeGreaterThanOrEqual(8 * MB);
    expect(size).toBeLessThanOrEqual(32 * MB);
  }
});
