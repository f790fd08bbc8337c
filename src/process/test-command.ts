import { watchFile } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { openTestPorts } from '../compose/index.ts';
import { CommandFailure } from '../places/command-line/index.ts';
import {
  coverageLines,
  failureLines,
  junitXml,
  resultLines,
  runTestFiles,
  type RunResults,
} from '../policy-tests/index.ts';
import { ConfigurationError } from '../yaml/index.ts';

interface TestOptions {
  readonly coverage?: number;
  readonly junit?: string;
  readonly watch?: true;
}

/** How often the files are looked at with `--watch`, in milliseconds. */
const INTERVAL = 300;

/** `test`: runs the tests of a policy file. */
export function testCommand(print: (line: string) => void): Command {
  return new Command('test')
    .description('Runs the tests of a policy file, and shows which policies and conditions they leave out.')
    .argument('<policies>', 'policy file (YAML)')
    .argument('[tests...]', 'files with more tests (YAML)')
    .option('--coverage <percent>', 'fail if less of the policies and conditions is covered', percentFrom)
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--watch', 'run again when a file changes, until Ctrl-C')
    .action(async (policies: string, tests: readonly string[], options: TestOptions) => {
      if (options.watch) return watch(policies, tests, options, print);
      if (!(await run(policies, tests, options, print))) process.exitCode = 1;
    });
}

/** @returns whether everything is as it should be */
async function run(
  policies: string,
  tests: readonly string[],
  { coverage, junit }: TestOptions,
  print: (line: string) => void,
): Promise<boolean> {
  const results = await runTestFiles(policies, tests, openTestPorts);
  if (results.files.length === 0)
    throw new CommandFailure(
      `${policies} has no tests; add some below its key tests, or name a file that has them.`,
    );
  if (junit !== undefined) await writeReport(junit, results);
  for (const { file, results: ofFile } of results.files)
    [file, ...ofFile.flatMap(resultLines)].forEach(print);
  return summarize(results, coverage, print);
}

async function writeReport(file: string, { files }: RunResults): Promise<void> {
  await writeFile(file, junitXml(files, failureLines)).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${file} cannot be written (${error.code ?? 'unknown'}).`);
  });
}

function summarize(
  { files, coverage }: RunResults,
  least: number | undefined,
  print: (line: string) => void,
): boolean {
  const all = files.flatMap(({ results }) => results);
  const failed = all.filter(({ failure }) => failure !== undefined).length;
  coverageLines(coverage).forEach(print);
  print(`${all.length - failed} passed, ${failed} failed`);
  const isCovered = least === undefined || coverage.percent >= least;
  if (!isCovered) print(`The coverage is ${coverage.percent} %, less than ${least} %.`);
  return failed === 0 && isCovered;
}

/** Runs at once, and again after each change. What is wrong with a file is shown, and does not end it. */
async function watch(
  policies: string,
  tests: readonly string[],
  options: TestOptions,
  print: (line: string) => void,
): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const again = (): void => {
    last = last.then(() =>
      run(policies, tests, options, print).catch((error: unknown) => print(reasonIn(error))),
    );
  };
  for (const file of [policies, ...tests]) watchFile(file, { interval: INTERVAL }, again);
  again();
  await last;
}

function reasonIn(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof CommandFailure) return error.message;
  throw error;
}

function percentFrom(text: string): number {
  const percent = Number(text);
  if (!/^\d+$/u.test(text) || percent > 100)
    throw new InvalidArgumentError('It has to be a number up to 100.');
  return percent;
}
