import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import * as z from 'zod';
import { closeAll, freePort, startStub } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision, literalRule, maskRule } from '../support/decision.ts';
import { fileWith } from '../support/folder.ts';
import { serving } from '../support/process.ts';

afterEach(closeAll);

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

/** How many ordinary payloads are enforced. */
const ORDINARY = 30;

/** What leaves much garbage, so that V8 then allows little until the next full collection. */
const COSTLY = { payload: `[${'{},'.repeat(1_200_000)}{}]`, times: 6 };

/** Of the process so far, as its metrics say. */
async function fullCollections(metricsPort: number): Promise<number> {
  const { text } = await call(metricsPort, { method: 'GET', path: '/metrics' });
  return Number(/^nodejs_gc_duration_seconds_count\{kind="major"\} (\d+)$/mu.exec(text)?.[1] ?? 0);
}

test('payloads of megabytes do not each have a full collection', async () => {
  const pdp = await startStub();
  const metricsPort = await freePort();
  const lines = [
    'port: 0',
    'host: 127.0.0.1',
    `pdpUrl: 127.0.0.1:${pdp.port}`,
    `metrics: { port: ${metricsPort} }`,
    'maxBody: 16',
    'maxAnswer: 256',
    'drainDelay: 0',
  ];
  const { port } = await serving('-c', await fileWith(lines.join('\n')));
  const enforce = async (payload: string, times: number): Promise<void> => {
    for (let sent = 0; sent < times; sent++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status } = await call(port, { body: enforcing(payload) });
      expect(status).toBe(200);
    }
  };

  pdp.answer({
    body: decision({ access: ['a', 'b', 'c', 'd', 'e'].map((name) => literalRule(`#.${name}`, 'x')) }),
  });
  await enforce(COSTLY.payload, COSTLY.times);
  pdp.answer({ body: decision({ access: [maskRule('#.ssn')] }) });
  const record = {
    id: 1,
    name: 'Ann Example',
    ssn: '078-05-1120',
    tags: ['a', 'b'],
    address: { city: 'Bonn' },
  };
  const payload = JSON.stringify(Array.from({ length: 40_000 }, () => record));
  const before = await fullCollections(metricsPort);
  await enforce(payload, ORDINARY);
  expect((await fullCollections(metricsPort)) - before).toBeLessThan(ORDINARY / 2);
});
