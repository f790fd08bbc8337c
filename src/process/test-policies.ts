import { loadTestParts } from '../compose/index.ts';
import { watchFiles } from '../files/index.ts';
import { CommandFailure } from '../places/command-line/index.ts';
import {
  coverageLines,
  failureLines,
  junitXml,
  resultLines,
  runTestFiles,
  type RunResults,
  type RunTrouble,
} from '../policy-tests/index.ts';
import { escapeUnprintable } from '../telemetry/log/index.ts';
import { ConfigurationError } from '../yaml/index.ts';
import { removeReport, writeReport } from './junit-report.ts';

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
  { coverage: least, junit }: TestOptions,
  print: Print,
): Promise<boolean> {
  if (junit !== undefined) await removeReport(junit);
  const report = async (results: RunResults['files'], trouble?: RunTrouble): Promise<void> => {
    if (junit !== undefined) await writeReport(junit, junitXml(results, failureLines, trouble));
  };
  const { files, coverage } = await resultsOf(policies, tests).catch(async (error: unknown) => {
    if (isExpected(error)) await report([], loadingTrouble(policies, error));
    throw error;
  });
  const isCovered = least === undefined || coverage.percent >= least;
  const shortfall = `The coverage is ${coverage.percent} %, less than ${least} %.`;
  const lacking = coverageTrouble(policies, [shortfall, ...coverage.gaps]);
  await report(files, isCovered ? undefined : lacking);
  const all = files.flatMap(({ results }) => results);
  const failed = all.filter(({ failure }) => failure !== undefined).length;
  const lines = [
    ...files.flatMap(({ file, results }) => [file].concat(results.flatMap(resultLines))),
    ...coverageLines(coverage),
    `${all.length - failed} passed, ${failed} failed`,
    ...(isCovered ? [] : [shortfall]),
  ];
  // No name of a test, policy or file begins another line or writes to the terminal.
  for (const line of lines) print(escapeUnprintable(line));
  return failed === 0 && isCovered;
}

/** Placed at the first problem of the file that has any, or at the first line of the policies if no file has, or several have. */
function loadingTrouble(policies: string, error: ConfigurationError | CommandFailure): RunTrouble {
  const { message } = error;
  const lines = message.split('\n');
  const { file, problems } = error instanceof ConfigurationError ? error : { file: '', problems: [] };
  const place = { file: file || policies, line: problems[0]?.line ?? 1 };
  return { ...place, name: 'Loading', kind: 'error', summary: lines[0] ?? message, lines };
}

function coverageTrouble(file: string, lines: readonly [string, ...string[]]): RunTrouble {
  return { file, line: 1, name: 'Coverage', kind: 'failure', summary: lines[0], lines };
}

async function resultsOf(policies: string, tests: readonly string[]): Promise<RunResults> {
  const { openTestPorts } = await loadTestParts();
  const results = await runTestFiles(policies, tests, openTestPorts);
  if (results.files.length > 0) return results;
  throw new CommandFailure(
    `${escapeUnprintable(policies)} has no tests; add some below its key tests, or name a file that has them.`,
  );
}

type Print = (line: string) => void;

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
  const run = (): Promise<void> =>
    runTests(policies, tests, options, print).then(
      () => undefined,
      (error: unknown) => print(reasonIn(error)),
    );
  const watch = watchFiles([policies, ...tests], () => run().catch(reject), {
    interval: INTERVAL,
    seen: 'changed',
    keepsRunning: true,
  });
  await ended.finally(() => watch.close());
}

function reasonIn(error: unknown): string {
  if (isExpected(error)) return error.message;
  throw error;
}

function isExpected(error: unknown): error is ConfigurationError | CommandFailure {
  return error instanceof ConfigurationError || error instanceof CommandFailure;
}
