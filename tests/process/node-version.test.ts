import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { OLDEST_NODE, oldNodeProblem } from '../../src/node-version.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';
import { PROGRAM } from '../support/program.ts';

afterEach(closeAll);

const { engines, devDependencies } = z
  .object({ engines: z.object({ node: z.string() }), devDependencies: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

test('the oldest Node.js is that of the package, and .nvmrc names the pinned one', () => {
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  expect(readFileSync('.nvmrc', 'utf8')).toBe(`${devDependencies.node}\n`);
});

describe('a version of Node.js', () => {
  test.each(['14.21.3', '18.20.4', '22.22.0', '24.11.0', '25.9.9'])('is too old: %s', (version) => {
    expect(oldNodeProblem(version)).toBe(
      `authz-jsonmasking needs Node.js ${OLDEST_NODE} or later; this is Node.js ${version}.`,
    );
  });

  test.each(['26.0.0', '26.10.0', '27.0.0', '100.0.0', process.versions.node])('will do: %s', (version) => {
    expect(oldNodeProblem(version)).toBeUndefined();
  });
});

/** What a run says in a Node.js that takes itself for an old one. */
async function runInOldNode(args: readonly string[]) {
  const folder = await folderWith({
    'old.mjs': `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });`,
  });
  const all = ['--import', `${folder}/old.mjs`, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('a Node.js that is too old is one line, before anything else is loaded', async () => {
  expect(await runInOldNode([PROGRAM, '-c', 'absent.yaml'])).toEqual({
    status: 1,
    stdout: '',
    stderr: `authz-jsonmasking needs Node.js ${OLDEST_NODE} or later; this is Node.js 20.1.0.\n`,
  });
});

test('the library cannot be imported into a Node.js that is too old, and says so', async () => {
  const code = `import(process.argv[1]).catch(({ message }) => console.log(message))`;
  expect(await runInOldNode(['-e', code, path.resolve('src/library.ts')])).toEqual({
    status: 0,
    stdout: `authz-jsonmasking needs Node.js ${OLDEST_NODE} or later; this is Node.js 20.1.0.\n`,
    stderr: '',
  });
});

test('the file that is run imports only the check', () => {
  const imports = [...readFileSync('src/main.ts', 'utf8').matchAll(/^import .* from '(.*)';$/gmu)];
  expect(imports.map(([, from]) => from)).toEqual(['./node-version.ts']);
  expect(readFileSync('src/node-version.ts', 'utf8')).not.toContain('import');
});
