import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const PROGRAM = path.resolve('tests/process/workers/pool-program.ts');

test('a worker that died is not started again once its pool stops', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM]);
  expect(stdout).toBe('Worker started\nWorker died\nStopped\n');
});
