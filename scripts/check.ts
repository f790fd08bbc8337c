/**
 * Checks the project: `node scripts/check.ts` runs every check and every test, `--fast` only the checks, and a path only the
 * tests below it. The last line counts them; a check that is no test counts as one. Exits with 1 if anything failed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';

const JEST_RESULT = 'build/jest.json';

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type Check = readonly [name: string, script: string];

/** The fast loop: together they take less than a minute. */
const CHECKS: readonly Check[] = [
  ['types', 'types'],
  ['lint', 'lint'],
  ['imports between folders', 'imports'],
  ['format', 'format:check'],
  ['prose', 'prose'],
  ['unused code', 'unused'],
  ['generated files', 'docs:check'],
  ['workflows', 'workflows'],
];

/** Tests start the service from dist/. The types are checked above, so this only emits. */
const BUILD: Check = ['build', 'emit'];

const jestResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  numPendingTests: z.number(),
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A check exits with this status if the machine lacks a tool that it needs. */
const SKIPPED = 77;

function npmRun(...args: readonly string[]): number | null {
  return spawnSync('npm', ['run', '--silent', ...args], { stdio: 'inherit' }).status;
}

function check([name, script]: Check): Count {
  const start = performance.now();
  const status = npmRun(script);
  const outcome = status === 0 ? 'ok     ' : status === SKIPPED ? 'SKIPPED' : 'FAILED ';
  say(`${outcome} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return {
    passed: Number(status === 0),
    failed: Number(status !== 0 && status !== SKIPPED),
    skipped: Number(status === SKIPPED),
  };
}

function test(paths: readonly string[]): Count {
  mkdirSync('build', { recursive: true });
  rmSync(JEST_RESULT, { force: true });
  // A list of paths ends at the next option; --reporters would take them for reporters.
  const status = npmRun(
    'jest',
    '--',
    ...paths,
    '--ci',
    '--json',
    `--outputFile=${JEST_RESULT}`,
    '--reporters=default',
  );
  if (!existsSync(JEST_RESULT)) return { passed: 0, failed: 1, skipped: 0 };
  const result = jestResult.parse(JSON.parse(readFileSync(JEST_RESULT, 'utf8')));
  // A suite that cannot even start has no failed test.
  const failed = Math.max(result.numFailedTests, result.numFailedTestSuites, Number(status !== 0));
  return { passed: result.numPassedTests, failed, skipped: result.numPendingTests };
}

function run(isFast: boolean, paths: readonly string[]): readonly Count[] {
  if (isFast) return CHECKS.map(check);
  const checks = paths.length === 0 ? CHECKS : [];
  return [...checks.map(check), check(BUILD), test(paths)];
}

const { values, positionals } = parseArgs({
  options: { fast: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const counts = run(values.fast, positionals);
const total = (key: keyof Count): number => counts.reduce((sum, count) => sum + count[key], 0);
say(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
process.exitCode = total('failed') > 0 ? 1 : 0;
