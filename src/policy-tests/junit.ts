import type { TestResult } from './run-test.ts';

/** The tests of one file and what came of them. */
export interface FileResults {
  readonly file: string;
  readonly results: readonly TestResult[];
}

/**
 * The results as JUnit XML, which CI systems read: a suite for each file.
 *
 * @param explain the lines that explain a failure
 */
export function junitXml(
  files: readonly FileResults[],
  explain: (result: TestResult) => readonly string[],
): string {
  const all = files.flatMap(({ results }) => results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals(all)}>`,
    ...files.flatMap(({ file, results }) => [
      `  <testsuite name="${escaped(file)}" ${totals(results)}>`,
      ...results.flatMap((result) => testCase(file, result, explain)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(
  file: string,
  result: TestResult,
  explain: (result: TestResult) => readonly string[],
): string[] {
  const { test, failure, seconds } = result;
  const head = `    <testcase name="${escaped(test.name)}" classname="${escaped(file)}" file="${escaped(file)}" line="${test.line}" time="${time(seconds)}"`;
  if (failure === undefined) return [`${head}/>`];
  return [
    `${head}>`,
    `      <failure message="${escaped(failure.summary)}">${escaped(explain(result).join('\n'))}</failure>`,
    '    </testcase>',
  ];
}

function totals(results: readonly TestResult[]): string {
  const failures = results.filter(({ failure }) => failure !== undefined).length;
  const seconds = results.reduce((sum, one) => sum + one.seconds, 0);
  return `tests="${results.length}" failures="${failures}" errors="0" skipped="0" time="${time(seconds)}"`;
}

function time(seconds: number): string {
  return seconds.toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 does not have, not even as references. */
const NOT_XML = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NOT_XML, '\uFFFD')
    .replaceAll(/[&<>"]/gu, (one) => ENTITIES[one] ?? one);
}
