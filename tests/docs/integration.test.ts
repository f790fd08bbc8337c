import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { decision, maskRule } from '../support/decision.ts';
import { startEnforcement } from '../support/service.ts';

afterEach(closeAll);

const PAGE = readFileSync('docs/integration.md', 'utf8');
const run = promisify(execFile);

/** A caller of the page: its language, its file and how it is run. */
const CALLERS = [
  { language: 'js', file: 'caller.mjs', command: process.execPath, before: [], probe: '--version' },
  { language: 'python', file: 'caller.py', command: 'python3', before: [], probe: '--version' },
  { language: 'java', file: 'Caller.java', command: 'java', before: [], probe: '-version' },
  { language: 'go', file: 'caller.go', command: 'go', before: ['run'], probe: 'version' },
] as const;

function isInstalled(command: string, probe: string): boolean {
  return spawnSync(command, [probe], { stdio: 'ignore' }).status === 0;
}

function programIn(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``, 'u').exec(PAGE)?.[1] ?? '';
}

/** Runs a program of the page against a service. @returns what it prints, or that it failed */
async function outcome(
  { language, file, command, before }: (typeof CALLERS)[number],
  url: string,
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'caller-'));
  stopLater(async () => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, file), programIn(language));
  const env = { ...process.env, AUTHORIZER_URL: url, NO_PROXY: '*', no_proxy: '*', GOFLAGS: '-mod=mod' };
  return run(command, [...before, file], { cwd: folder, env }).then(
    ({ stdout }) => stdout.trim(),
    () => 'failed',
  );
}

/** Describes tests of a caller. If its toolchain is not there, they count as skipped, and a line says so. */
function describeFor({ command, probe }: (typeof CALLERS)[number]): typeof describe.skip {
  if (isInstalled(command, probe)) return describe;
  process.stderr.write(`${command} is not installed: its caller is SKIPPED.\n`);
  return describe.skip;
}

for (const caller of CALLERS) {
  describeFor(caller)(`the caller in ${caller.language}`, () => {
    test('prints the masked payload', async () => {
      const { url } = await startEnforcement({ body: decision({ access: [maskRule('phone')] }) });
      expect(JSON.parse(await outcome(caller, url))).toEqual({ country: 'US', phone: '***' });
    });

    test('fails if the service does, and prints nothing', async () => {
      const { url } = await startEnforcement({ status: 500 });
      expect(await outcome(caller, url)).toBe('failed');
    });
  });
}
