import { loadEmbeddedPdp, type PolicyFile, type PolicyTest } from '../pdp/index.ts';
import { Coverage, type CoverageReport } from './coverage.ts';
import type { FileResults } from './junit.ts';
import { runTest, type TestBench, type TestResult } from './run-test.ts';

/** The results of a run. */
export interface RunResults {
  readonly files: readonly FileResults[];
  readonly coverage: CoverageReport;
}

/**
 * Runs the tests of a policy file: its own, and those of other files.
 *
 * @param portsFor what the tests of a policy file are enforced with
 * @throws ConfigurationError with everything that is wrong with one of the files
 */
export async function runTestFiles(
  policyFile: string,
  testFiles: readonly string[],
  portsFor: (policyFile: string, policies: PolicyFile) => Promise<TestBench['ports']>,
): Promise<RunResults> {
  const { loadPolicyFile, loadPolicyTests } = await loadEmbeddedPdp();
  const policies = loadPolicyFile(policyFile);
  const suites = [
    { file: policyFile, tests: loadPolicyTests(policyFile, true) },
    ...testFiles.map((file) => ({ file, tests: loadPolicyTests(file, false) })),
  ];
  const bench = { policies, ports: await portsFor(policyFile, policies) };
  const coverage = new Coverage(policies);
  const files: FileResults[] = [];
  for (const { file, tests } of suites) {
    // oxlint-disable-next-line no-await-in-loop -- results have the order of the files
    const results = await runAll(tests, bench);
    for (const { explanation } of results) if (explanation) coverage.add(explanation);
    if (results.length > 0) files.push({ file, results });
  }
  return { files, coverage: coverage.report() };
}

async function runAll(tests: readonly PolicyTest[], bench: TestBench): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other: each may have a large payload
  for (const test of tests) results.push(await runTest(test, bench));
  return results;
}
