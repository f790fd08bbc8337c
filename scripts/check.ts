/**
 * Runs every check and every test of the project: `node scripts/check.ts`. The last line counts them; a check that is no
 * test counts as one. Exits with 1 where anything failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';

const JEST_RESULT = 'build/jest.json';

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const CHECKS: readonly (readonly [name: string, script: string])[] = [
  ['types', 'types'],
  ['lint and import direction', 'lint'],
  ['format', 'format:check'],
  ['unused code', 'unused'],
  ['generated files', 'docs:check'],
  ['build', 'build'],
];

const jestResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  numPendingTests: z.number(),
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function npmRun(...args: readonly string[]): boolean {
  return spawnSync('npm', ['run', '--silent', ...args], { stdio: 'inherit' }).status === 0;
}

function check([name, script]: readonly [string, string]): Count {
  const passed = npmRun(script);
  say(`${passed ? 'ok    ' : 'FAILED'} ${name}`);
  return { passed: Number(passed), failed: Number(!passed), skipped: 0 };
}

function test(): Count {
  mkdirSync('build', { recursive: true });
  const succeeded = npmRun(
    'jest',
    '--',
    '--ci',
    '--json',
    `--outputFile=${JEST_RESULT}`,
    '--reporters=default',
  );
  const result = jestResult.parse(JSON.parse(readFileSync(JEST_RESULT, 'utf8')));
  // A suite that cannot even start has no failed test.
  const failed = Math.max(result.numFailedTests, result.numFailedTestSuites, Number(!succeeded));
  return { passed: result.numPassedTests, failed, skipped: result.numPendingTests };
}

const counts = [...CHECKS.map(check), test()];
const total = (key: keyof Count): number => counts.reduce((sum, count) => sum + count[key], 0);
const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
say(`${total('passed')} passed, ${total('failed')} failed${skipped}`);
process.exitCode = total('failed') > 0 ? 1 : 0;
