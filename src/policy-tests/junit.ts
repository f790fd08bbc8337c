import { escapeUnprintable } from '../telemetry/log/index.ts';
import type { TestResult } from './run-test.ts';

/** The tests of one file and what came of them. */
export interface FileResults {
  readonly file: string;
  readonly results: readonly TestResult[];
}

/** Why a case did not pass. Something that ended the run is an error. */
interface Trouble {
  readonly kind: 'failure' | 'error';
  /** In one line. */
  readonly summary: string;
  readonly lines: readonly string[];
}

/** A case of a report. */
interface Case {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly seconds: number;
  /** Undefined if it passed. */
  readonly trouble: Trouble | undefined;
}

/** What is wrong with a run apart from its tests. */
export interface RunTrouble extends Trouble {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/**
 * The results as JUnit XML, which CI systems read: a suite for each file.
 *
 * @param explain the lines that explain a failure
 * @param trouble reported as another case of its file
 */
export function junitXml(
  files: readonly FileResults[],
  explain: (result: TestResult) => readonly string[],
  trouble?: RunTrouble,
): string {
  const cases = files.flatMap(({ file, results }) => results.map((result) => caseOf(file, result, explain)));
  if (trouble === undefined) return xmlOf(cases);
  const { file, line, name } = trouble;
  return xmlOf([...cases, { file, name, line, seconds: 0, trouble }]);
}

function caseOf(file: string, result: TestResult, explain: (result: TestResult) => readonly string[]): Case {
  const { test, failure, seconds } = result;
  const trouble = failure && { kind: 'failure' as const, summary: failure.summary, lines: explain(result) };
  return { file, name: test.name, line: test.line, seconds, trouble };
}

function xmlOf(cases: readonly Case[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals(cases)}>`,
    ...[...Map.groupBy(cases, ({ file }) => file)].flatMap(([file, ofFile]) =>
      [`  <testsuite name="${escaped(file)}" ${totals(ofFile)}>`].concat(
        ofFile.flatMap(testCase),
        '  </testsuite>',
      ),
    ),
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ file, name, line, seconds, trouble }: Case): string[] {
  const head = `    <testcase name="${escaped(name)}" classname="${escaped(file)}" file="${escaped(file)}" line="${line}" time="${time(seconds)}"`;
  if (trouble === undefined) return [`${head}/>`];
  const { kind, summary, lines } = trouble;
  return [
    `${head}>`,
    `      <${kind} message="${escaped(summary)}">${lines.map(escaped).join('\n')}</${kind}>`,
    '    </testcase>',
  ];
}

function totals(cases: readonly Case[]): string {
  const count = (kind: Trouble['kind']): number =>
    cases.filter(({ trouble }) => trouble?.kind === kind).length;
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="0" time="${time(seconds)}"`;
}

function time(seconds: number): string {
  return seconds.toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Printable characters that XML 1.0 does not have, not even as references. */
const NOT_XML = /[\uFFFE\uFFFF]/gu;

/** Text that stays on one line. */
function escaped(text: string): string {
  return escapeUnprintable(text)
    .replaceAll(NOT_XML, '\uFFFD')
    .replaceAll(/[&<>"]/gu, (one) => ENTITIES[one] ?? one);
}
