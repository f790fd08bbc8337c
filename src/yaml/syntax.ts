import lodash from 'lodash';
import type { ErrorCode, LineCounter, YAMLParseError, YAMLWarning } from 'yaml';
import type { Problem } from './problem.ts';

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

/**
 * What to say about text that is not sound YAML. The parser's own messages are not passed on, because some of them
 * quote the text.
 */
const YAML_PROBLEMS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'An alias has an anchor or a tag.',
  BAD_ALIAS: 'An alias or anchor has no proper name.',
  BAD_COLLECTION_TYPE: 'A map or list has a tag of another type.',
  BAD_DIRECTIVE: 'A line begins with %, and is not a known directive.',
  BAD_DQ_ESCAPE: 'A text in double quotes has an escape that is not known; write \\\\ for a backslash.',
  BAD_INDENT: 'The indentation does not match the lines above.',
  BAD_PROP_ORDER: 'An anchor or a tag is in the wrong place.',
  BAD_SCALAR_START: 'A value begins with a character that YAML reserves; put it in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'A line has a second "key: value"; put a value that holds ": " in quotes.',
  BLOCK_IN_FLOW: 'An indented map or list is inside { } or [ ].',
  DUPLICATE_KEY: 'A key is given twice.',
  IMPOSSIBLE: 'The text is not YAML.',
  KEY_OVER_1024_CHARS: 'A key is longer than 1,024 characters.',
  MISSING_CHAR: 'Something is missing: a closing quote, bracket or brace, a comma, a colon or a space.',
  MULTILINE_IMPLICIT_KEY: 'A key goes over several lines.',
  MULTIPLE_ANCHORS: 'A value has several anchors.',
  MULTIPLE_DOCS: 'A second document begins; a file holds one.',
  MULTIPLE_TAGS: 'A value has several tags.',
  NON_STRING_KEY: 'A key is not a plain word.',
  RESOURCE_EXHAUSTION: 'The text nests too deeply.',
  TAB_AS_INDENT: 'The indentation has a tab. YAML is indented with spaces.',
  TAG_RESOLVE_FAILED: 'A tag is not known.',
  UNEXPECTED_TOKEN: 'The text is not expected here; put a value with special characters in quotes.',
};
