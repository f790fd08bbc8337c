import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';
import { folderWith } from '../support/folder.ts';
import { PROGRAM } from '../support/program.ts';
import { notesIn, WATCHER } from './watcher.ts';

const POLICIES = path.resolve('examples/policies/demo.yaml');
const PAYLOAD = path.resolve('examples/payloads/customers.json');

afterEach(closeAll);

async function watchedProgram(...args: readonly string[]) {
  const folder = await folderWith({
    'watcher.cjs': WATCHER,
    notes: '',
    'config.yaml': `port: 0\npolicyFile: ${POLICIES}\n`,
  });
  const inFolder = args.map((arg) => (arg === 'config.yaml' ? path.join(folder, arg) : arg));
  const child = spawn(
    process.execPath,
    ['--require', path.join(folder, 'watcher.cjs'), PROGRAM, ...inFolder],
    {
      env: { ...process.env, NOTES: path.join(folder, 'notes') },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  return {
    child,
    ended,
    listens: () => output.includes('"message":"Listening"'),
    notes: path.join(folder, 'notes'),
  };
}

test.each([
  ['--version'],
  ['-c', 'config.yaml', '--check'],
  ['enforce', '-p', POLICIES, '--as', 'Agent/jane', PAYLOAD],
])('V8 takes every part of the program as it was compiled ahead: %s', async (...args) => {
  const { ended, notes } = await watchedProgram(...args);
  expect(await ended).toEqual([0, null]);
  const noted = await notesIn(notes);
  expect(noted).not.toEqual([]);
  expect(noted.filter(({ isTaken }) => !isTaken)).toEqual([]);
});

test('V8 takes every part of the program as it was compiled ahead: the service', async () => {
  const { child, ended, listens, notes } = await watchedProgram('-c', 'config.yaml');
  await Promise.race([eventually(listens), ended]);
  const noted = await notesIn(notes);
  child.kill('SIGKILL');
  await ended;
  expect(noted).not.toEqual([]);
  expect(noted.filter(({ isTaken }) => !isTaken)).toEqual([]);
});
