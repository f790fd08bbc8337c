import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { debianFolder } from '../../scripts/tools/sources/debian.ts';
import { neededTool } from '../support/tools.ts';
import { VERSION } from '../../src/version.ts';
import { call, enforcing } from '../support/caller.ts';
import { currentArchive, packageFor } from './archive.ts';
import { isRunning, pidIn, portIn } from './installation.ts';

const EMULATOR = 'qemu-aarch64-static';
const isNative = process.arch === 'arm64';
const emulator = isNative ? undefined : neededTool(EMULATOR);

/** Emulation on a busy machine takes its time; this only ends a test that hangs. */
const PATIENCE = 900_000;

const POLICIES = 'policies:\n  - name: Confidential\n    properties: [ssn]\n    action: last(4)\n';

/** The package for arm64, unpacked; on another processor, its executable runs in the emulator. */
async function installed(folder: string): Promise<string> {
  execFileSync('tar', ['-xzf', path.resolve(await currentArchive('arm64')), '-C', folder]);
  const home = path.join(folder, packageFor('arm64'));
  if (emulator) emulate(home, emulator.program);
  return home;
}

function emulate(home: string, program: string): void {
  const [executable, own] = [path.join(home, 'authz-jsonmasking'), path.join(home, 'arm64-executable')];
  const libraries = path.join(debianFolder(EMULATOR), 'usr/aarch64-linux-gnu');
  renameSync(executable, own);
  writeFileSync(executable, `#!/bin/sh\nexec '${program}' -L '${libraries}' '${own}' "$@"\n`);
  chmodSync(executable, 0o755);
  // An emulated start may take longer than a start may take.
  const start = path.join(home, 'start.sh');
  writeFileSync(start, readFileSync(start, 'utf8').replace(/^limit=\d+$/mu, 'limit=600'));
}

(emulator?.describe ?? describe)('The package for arm64', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'authz arm64 '));
  let home = '';

  function run(name: string, ...args: readonly string[]): string {
    return execFileSync(path.join(home, name), args, { encoding: 'utf8' });
  }

  beforeAll(async () => {
    home = await installed(folder);
  }, PATIENCE);

  afterAll(() => {
    run('stop.sh', '-t', '0');
    rmSync(folder, { recursive: true });
  }, PATIENCE);

  test(
    'has an executable for arm64 that knows its version',
    () => {
      const name = emulator === undefined ? 'authz-jsonmasking' : 'arm64-executable';
      // The machine that an ELF file is for: 183 is AArch64.
      const executable = readFileSync(path.join(home, name));
      expect(executable.readUInt16LE(18)).toBe(183);
      // V8 on this processor can make nothing of it.
      expect(executable.includes('.x64.compiled')).toBe(false);
      expect(run('authz-jsonmasking', 'version')).toBe(`${VERSION}\n`);
    },
    PATIENCE,
  );

  test(
    'starts by its script, masks a payload, and stops by its script',
    async () => {
      writeFileSync(path.join(home, 'policies.yaml'), POLICIES);
      writeFileSync(path.join(home, 'config.yaml'), 'port: 0\ndrainDelay: 0\npolicyFile: policies.yaml\n');
      const started = run('start.sh');
      const answer = await call(portIn(started), { body: enforcing('{"name":"Ann","ssn":"123456789"}') });
      expect({ status: answer.status, text: answer.text }).toEqual({
        status: 200,
        text: '{"name":"Ann","ssn":"*****6789"}',
      });
      expect(isRunning(pidIn(started))).toBe(true);
      expect(run('stop.sh', '-t', '300')).toBe('authz-jsonmasking has stopped.\n');
      expect(isRunning(pidIn(started))).toBe(false);
    },
    PATIENCE,
  );
});
