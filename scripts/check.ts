/**
 * Checks the project: `node scripts/check.ts` runs every check and every test, `--fast` only the checks, and a path only the
 * tests below it. The last line counts them; a check that is no test counts as one. Exits with 1 if anything failed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
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

/** Runs a check, then says how it went after all that it printed, so that checks side by side do not mix their lines. */
async function check([name, script]: Check): Promise<Count> {
  const start = performance.now();
  const run = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [, ...printed] = await Promise.all([once(run, 'close'), text(run.stdout), text(run.stderr)]);
  const status = run.exitCode;
  const outcome = status === 0 ? 'ok     ' : status === SKIPPED ? 'SKIPPED' : 'FAILED ';
  say(`${printed.join('')}${outcome} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return {
    passed: Number(status === 0),
    failed: Number(status !== 0 && status !== SKIPPED),
    skipped: Number(status === SKIPPED),
  };
}

/** As many at once as there are processors. */
async function checkAll(checks: readonly Check[]): Promise<readonly Count[]> {
  const waiting = checks.values();
  const lane = async (): Promise<readonly Count[]> => {
    const counts: Count[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one after the other in each lane
    for (const next of waiting) counts.push(await check(next));
    return counts;
  };
  return (await Promise.all(Array.from({ length: availableParallelism() }, lane))).flat();
}

function test(paths: readonly string[]): Count {
  mkdirSync('build', { recursive: true });
  rmSync(JEST_RESULT, { force: true });
  // A list of paths ends at the next option; --reporters would take them for reporters.
  const options = ['--ci', '--json', `--outputFile=${JEST_RESULT}`, '--reporters=default'];
  const args = ['run', '--silent', 'jest', '--', ...paths, ...options];
  const { status } = spawnSync('npm', args, { stdio: 'inherit' });
  if (!existsSync(JEST_RESULT)) return { passed: 0, failed: 1, skipped: 0 };
  const result = jestResult.parse(JSON.parse(readFileSync(JEST_RESULT, 'utf8')));
  // A suite that cannot even start has no failed test.
  const failed = Math.max(result.numFailedTests, result.numFailedTestSuites, Number(status !== 0));
  return { passed: result.numPassedTests, failed, skipped: result.numPendingTests };
}

async function runAll(isFast: boolean, paths: readonly string[]): Promise<readonly Count[]> {
  if (isFast) return checkAll(CHECKS);
  const checked = await checkAll(paths.length === 0 ? [...CHECKS, BUILD] : [BUILD]);
  return [...checked, test(paths)];
}

const { values, positionals } = parseArgs({
  options: { fast: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const counts = await runAll(values.fast, positionals);
const total = (key: keyof Count): number => counts.reduce((sum, count) => sum + count[key], 0);
say(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
process.exitCode = total('failed') > 0 ? 1 : 0;
