import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

const PROGRAM = path.resolve('tests/process/workers/pool-program.ts');

/** The lines that the program and its worker say until nothing is left to do. */
async function linesWith(conduct: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, conduct]);
  return stdout.trimEnd().split('\n');
}

test('a pool tries again to start a worker that could not be created', async () => {
  const started = ['Worker started', 'Worker listening'];
  const lost = ['Worker died', 'Worker not started'];
  const lines = [...started, 'Listening', ...lost, ...started, 'Stopped', 'Not listening'];
  expect(await linesWith('is lost')).toEqual(lines);
});

describe('a pool that stops', () => {
  test('does not start a worker again that died before', async () => {
    const died = ['Worker started', 'Worker died'];
    expect(await linesWith('dies')).toEqual([...died, 'Not listening', 'Stopped', 'Not listening']);
  });

  test.each([
    ['stops', ['Stopped']],
    ['fails', ['Cut off']],
    ['hangs', ['Worker killed: not finished within drainTimeout', 'Cut off']],
  ])('has nothing left of a worker that %s', async (conduct, end) => {
    const started = ['Worker started', 'Worker listening', 'Listening'];
    expect(await linesWith(conduct)).toEqual([...started, ...end, 'Not listening']);
  });
});
