import lodash from 'lodash';
import type { LineCounter, YAMLParseError, YAMLWarning } from 'yaml';
import type { Problem } from './problem.ts';
import { YAML_PROBLEMS } from './yaml-words.ts';

type Fault = YAMLParseError | YAMLWarning;

/** A text, and how its offsets become lines. */
interface Written {
  readonly lines: readonly string[];
  readonly lineOf: (offset: number) => number;
}

const HAS_CONTENT = /^\s*[^\s#]/u;

/**
 * What makes a text unsound YAML, in our words and on the line to change. The parser sees a line that is indented too deep as a
 * part of the value above it, and reports that one.
 */
export function syntaxProblems(
  faults: readonly Fault[],
  text: string,
  counter: LineCounter,
): readonly Problem[] {
  const written = { lines: text.split('\n'), lineOf: (offset: number) => counter.linePos(offset).line };
  const problems = withoutEchoes(faults).map((fault) => describe(fault, written));
  return lodash.uniqBy(problems, ({ line, message }) => `${line} ${message}`);
}

/** A value that runs on into the next line's key is reported twice, from the same offset. Only the report with its end stays. */
function withoutEchoes(faults: readonly Fault[]): readonly Fault[] {
  const runsOn = new Set(
    faults.filter(({ code }) => code === 'MULTILINE_IMPLICIT_KEY').map(({ pos }) => pos[0]),
  );
  return faults.filter(({ code, pos }) => code !== 'BLOCK_AS_IMPLICIT_KEY' || !runsOn.has(pos[0]));
}

function describe(fault: Fault, written: Written): Problem {
  const { code, pos } = fault;
  const line = written.lineOf(pos[0]);
  const message = YAML_PROBLEMS[code];
  if (code === 'MULTILINE_IMPLICIT_KEY') return tooDeep(line, written.lineOf(pos[1] - 1), message);
  if (code === 'BAD_INDENT') return { line: contentFrom(line, written), key: '', message };
  const first = contentFrom(1, written);
  if (code === 'UNEXPECTED_TOKEN' && written.lines[first - 1]?.startsWith(' ') === true && line > first) {
    return { line: first, key: '', message: 'The first line is indented, and lines after it are not.' };
  }
  return { line, key: '', message };
}

/** The key that ends on a later line is the one that is indented too deep. */
function tooDeep(start: number, end: number, message: string): Problem {
  if (end === start) return { line: start, key: '', message };
  return {
    line: end,
    key: '',
    message: `The line is indented deeper than line ${start}, which already has a value.`,
  };
}

/** The first line from this one on that is neither empty nor a comment. */
function contentFrom(line: number, { lines }: Written): number {
  const found = lines.findIndex((text, index) => index >= line - 1 && HAS_CONTENT.test(text));
  return found < 0 ? line : found + 1;
}
