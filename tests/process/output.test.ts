import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, createReadStream, openSync } from 'node:fs';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';
import { PROGRAM } from '../support/program.ts';

afterEach(closeAll);

const FILES = {
  'p.yaml': `
policies:
  - { name: SSN, properties: [ssn], action: MASK }
tests:
  - { name: hides it, vendor: { entityId: jane }, json: { ssn: x }, expect: { ssn: '***' } }
`,
  'payload.json': '{"ssn":"1"}',
};
const ENFORCE = ['enforce', '-p', 'p.yaml', '--as', 'Agent/jane', 'payload.json'];

const COMMANDS = [
  ENFORCE,
  [...ENFORCE, '--ndjson'],
  [...ENFORCE, '--diff'],
  ['explain', ...ENFORCE.slice(1)],
  ['test', 'p.yaml'],
  ['test', '--watch', 'p.yaml'],
  ['help'],
  ['help', 'pdp'],
  ['--help'],
  ['pdp', '--help'],
  ['test', '--help'],
  ['--version'],
  ['completion', 'bash'],
  ['pdp', '-p', 'p.yaml', '--check'],
  ['playground', '--port', '0'],
] as const;

/** Starts the command line in a folder with the files. */
async function started(args: readonly string[], stdout: number | 'pipe') {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: await folderWith(FILES),
    stdio: ['ignore', stdout, 'pipe'],
  });
  stopLater(() => Promise.resolve(void child.kill('SIGKILL')));
  const ended = Promise.all([child.stderr === null ? '' : text(child.stderr), once(child, 'close')]);
  return { child, ended: ended.then(([stderr]) => ({ code: child.exitCode, stderr })) };
}

describe('if standard output cannot be written', () => {
  test.each(COMMANDS.map((args) => [args]))('one sentence says why: %j', async (args) => {
    const full = openSync('/dev/full', 'w');
    const { ended } = await started(args, full);
    closeSync(full);
    expect(await ended).toEqual({
      code: 1,
      stderr: 'Standard output cannot be written: the disk is full (ENOSPC).\n',
    });
  });
});

test.each([
  ['enforce', '-p', 'p.yaml', 'payload.json'],
  ['explain', '-p', 'p.yaml', 'payload.json'],
  ['test', 'p.yaml'],
])('if the working directory is gone, one sentence says so: %s', async (...args) => {
  const folder = await folderWith(FILES);
  const absolute = args.map((arg) => (arg in FILES ? `${folder}/${arg}` : arg));
  const run = ['exec', JSON.stringify(process.execPath), JSON.stringify(PROGRAM), ...absolute];
  const child = spawn('sh', ['-c', `mkdir gone && cd gone && rmdir ../gone && ${run.join(' ')}`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stopLater(() => Promise.resolve(void child.kill('SIGKILL')));
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code: child.exitCode, stderr }).toEqual({
    code: 1,
    stderr: 'The working directory does not exist any more. Change to one that does.\n',
  });
});

/** Runs a command with a pipe for standard output that takes a part at a time, and does not wait. */
async function printedToPipe(
  folder: string,
  args: readonly string[],
): Promise<{ readonly stderr: string | null; readonly printed: string }> {
  const pipe = `${folder}/pipe`;
  execFileSync('mkfifo', [pipe]);
  const stdout = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  // Node.js has the standard files of a process that it starts wait, and others not.
  const command = ['-c', 'exec "$@" >&3', 'sh', process.execPath, PROGRAM, ...args];
  const stdio = ['ignore', 'ignore', 'pipe', stdout] as const;
  const child = spawn('sh', command, { cwd: folder, stdio: [...stdio] });
  stopLater(() => Promise.resolve(void child.kill('SIGKILL')));
  const reading = createReadStream(pipe);
  await once(reading, 'open');
  closeSync(stdout);
  const [printed, stderr] = await Promise.all([text(reading), child.stderr && text(child.stderr)]);
  return { stderr, printed };
}

test('all of the output reaches a pipe that takes a part of it at a time, and does not wait', async () => {
  const records = Array.from({ length: 50_000 }, (_, id) => ({ id, ssn: '123-45-6789' }));
  const folder = await folderWith({ 'p.yaml': FILES['p.yaml'], 'payload.json': JSON.stringify(records) });
  expect(await printedToPipe(folder, ENFORCE)).toEqual({
    stderr: '',
    printed: `${JSON.stringify(records.map(({ id }) => ({ id, ssn: '***' })))}\n`,
  });
});

test('so do all lines of it, in their order', async () => {
  const names = Array.from({ length: 3000 }, (_, index) => `${index} ${'x'.repeat(80)}`);
  const tests = names.map((name) => `  - { name: ${name}, json: { ssn: x }, expect: { ssn: '***' } }\n`);
  const folder = await folderWith({ 'p.yaml': FILES['p.yaml'] + tests.join('') });
  const { printed } = await printedToPipe(folder, ['test', 'p.yaml']);
  expect(Array.from(printed.matchAll(/\d+ x{80}(?=\n)/gu), String)).toEqual(names);
});

describe('if the reader of standard output has gone', () => {
  test.each([[ENFORCE], [['explain', ...ENFORCE.slice(1)]], [['test', 'p.yaml']], [['help']]])(
    'nothing is said: %j',
    async (args) => {
      const { child, ended } = await started(args, 'pipe');
      child.stdout?.destroy();
      expect(await ended).toEqual({ code: 0, stderr: '' });
    },
  );
});
