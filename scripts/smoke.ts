/**
 * Installs the npm package in an empty folder and has a payload masked by it: `node scripts/smoke.ts [NODE]`. NODE is the
 * Node.js that runs it; by default the pinned one.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NPM_PACKAGE } from './release/paths.ts';
import { packForNpm } from './release/npm-package.ts';
import { maskOnce } from './smoke/mask-once.ts';
import { run } from './standalone/run.ts';

const node = process.argv[2] ?? process.execPath;
const folder = mkdtempSync(path.join(tmpdir(), 'authz-jsonmasking-smoke-'));
try {
  const target = path.join(folder, 'empty');
  mkdirSync(target);
  await packForNpm(folder, folder);
  writeFileSync(path.join(target, 'package.json'), '{}');
  run('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', path.join(folder, NPM_PACKAGE)], target);
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const answer = await maskOnce(node, path.join(target, 'node_modules/authz-jsonmasking'), folder);
  process.stdout.write(`Node.js ${version} runs the package, which answers: ${answer}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
