import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { outcomeOf, READERS } from '../../bench/hostile/readers.ts';

/** Thirty times what it takes on a quiet machine: only what never ends takes longer. */
const TIME_LIMIT = 270_000;

test.each(READERS)('$name is read as it is, or the searches that change it find nothing', async (reader) => {
  const text = Buffer.from(JSON.stringify(reader.sample));
  await expect(outcomeOf(reader, text)).resolves.toBe(text.length);
});

test('whatever nests sixty times in what others send is read or refused in the end', () => {
  const run = spawnSync(process.execPath, ['tests/fuzz/read-nestings.ts'], {
    encoding: 'utf8',
    timeout: TIME_LIMIT,
    killSignal: 'SIGKILL',
  });
  expect([run.signal, run.status, run.stderr]).toEqual([null, 0, '']);
  const outcomes: Record<string, Record<string, number>> = JSON.parse(run.stdout);
  expect(Object.keys(outcomes)).toEqual(READERS.map(({ name }) => name));
  for (const counts of Object.values(outcomes)) expect(counts).toHaveProperty('read');
});
