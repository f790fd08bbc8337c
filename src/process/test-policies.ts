import { unwatchFile, watchFile } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { loadTestParts } from '../compose/index.ts';
import { whyUnwritable } from '../files/index.ts';
import { CommandFailure } from '../places/command-line/index.ts';
import {
  coverageLines,
  failureLines,
  junitXml,
  resultLines,
  runTestFiles,
  type RunResults,
} from '../policy-tests/index.ts';
import { escapeUnprintable } from '../telemetry/log/index.ts';
import { ConfigurationError } from '../yaml/index.ts';

/** The options of `test`. */
export interface TestOptions {
  readonly coverage?: number;
  readonly junit?: string;
  readonly watch?: true;
}

/** How often the files are looked at with `--watch`, in milliseconds. */
const INTERVAL = 300;

/**
 * Runs the tests of a policy file, its own and those of other files, and prints what came of them.
 *
 * @returns whether everything is as it should be
 */
export async function runTests(
  policies: string,
  tests: readonly string[],
  { coverage, junit }: TestOptions,
  print: Print,
): Promise<boolean> {
  const show = printable(print);
  const { openTestPorts } = await loadTestParts();
  const results = await runTestFiles(policies, tests, openTestPorts);
  if (results.files.length === 0)
    throw new CommandFailure(
      `${policies} has no tests; add some below its key tests, or name a file that has them.`,
    );
  if (junit !== undefined) await writeReport(junit, results);
  for (const { file, results: ofFile } of results.files) [file, ...ofFile.flatMap(resultLines)].forEach(show);
  return summarize(results, coverage, show);
}

type Print = (line: string) => void;

/** Prints lines in which no name of a test, policy or file writes to the terminal. */
function printable(print: Print): Print {
  return (lines) => print(lines.split('\n').map(escapeUnprintable).join('\n'));
}

async function writeReport(file: string, { files }: RunResults): Promise<void> {
  await writeFile(file, junitXml(files, failureLines)).catch((error: unknown) => {
    throw new CommandFailure(`${file} cannot be written: ${whyUnwritable(error)}.`);
  });
}

function summarize({ files, coverage }: RunResults, least: number | undefined, print: Print): boolean {
  const all = files.flatMap(({ results }) => results);
  const failed = all.filter(({ failure }) => failure !== undefined).length;
  coverageLines(coverage).forEach(print);
  print(`${all.length - failed} passed, ${failed} failed`);
  const isCovered = least === undefined || coverage.percent >= least;
  if (!isCovered) print(`The coverage is ${coverage.percent} %, less than ${least} %.`);
  return failed === 0 && isCovered;
}

/**
 * Runs at once, and again after each change. What is wrong with a file is shown, and does not end it.
 *
 * @throws what keeps the results from being printed
 */
export async function watchTests(
  policies: string,
  tests: readonly string[],
  options: TestOptions,
  print: Print,
): Promise<void> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  let last: Promise<unknown> = Promise.resolve();
  const again = (): void => {
    last = last
      .then(() => runTests(policies, tests, options, print))
      .catch((error: unknown) => printable(print)(reasonIn(error)))
      .catch(reject);
  };
  for (const file of [policies, ...tests]) watchFile(file, { interval: INTERVAL }, again);
  again();
  await ended.finally(() => {
    for (const file of [policies, ...tests]) unwatchFile(file, again);
  });
}

function reasonIn(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof CommandFailure) return error.message;
  throw error;
}
