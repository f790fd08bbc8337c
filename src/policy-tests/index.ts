/** Tests of policy files: `authz-jsonmasking test`. */
export { junitXml, type RunTrouble } from './junit.ts';
export { runTestFiles, type RunResults } from './run-files.ts';
export { coverageLines, failureLines, resultLines } from './show-results.ts';
