import lodash from 'lodash';
import { isScalar, type Document, type ErrorCode, type LineCounter } from 'yaml';
import type { YAMLParseError, YAMLWarning } from 'yaml';
import { LOST_VALUE } from './document.ts';
import type { Problem } from './problem.ts';
import { Enclosures, isUnclosed, isUnclosedQuote, type Unclosed } from './unclosed.ts';

type Fault = YAMLParseError | YAMLWarning;

/** A text, what the parser made of it, and how its offsets become lines. */
interface Written {
  readonly text: string;
  readonly document: Document;
  readonly enclosures: Enclosures;
  readonly lines: readonly string[];
  readonly lineOf: (offset: number) => number;
}

const HAS_CONTENT = /^\s*[^\s#]/u;
/** What may be before the first key of a line. */
const BEFORE_KEY = /^(?:\s|- )*$/u;
/** Where a comment begins, or what looks like one in a list or a map. */
const COMMENT_START = /(?:^|[\s,[{])#/u;
const CLOSING_BRACKET = /[\]}]/u;

const NO_COLON = 'The key has no colon and space after it; write "key: value".';
const LOST = 'A key that begins with "? " has a value without a colon; write "key: value".';
const NO_COMMA = 'A comma or a closing bracket is missing before this line.';
const COMMENT = '# begins a comment here; put a value that begins with # in quotes.';

/** Some codes have several causes, which differ in the beginning of the parser's message. */
const FAULTS = {
  comment: /^Comments must be separated/u,
  noColon: /^Implicit map keys need/u,
  itemWithoutDash: /^Sequence item without/u,
  otherColumn: /^All mapping items must start/u,
  afterAll: / in YAML stream: /u,
  noRoom: /^Maximum call stack/u,
} as const;

/**
 * What makes a text unsound YAML, in our words and on the line to change. The parser sees a line that is indented too deep as a
 * part of the value above it, and reports that one. Each fault has a problem: without one, the text would pass.
 */
export function syntaxProblems(
  document: Document,
  faults: readonly Fault[],
  text: string,
  counter: LineCounter,
): readonly Problem[] {
  const lineOf = (offset: number): number => counter.linePos(offset).line;
  const tooDeep = faults.find(isForWantOfRoom);
  if (tooDeep) return [problem(lineOf(tooDeep.pos[0]), YAML_PROBLEMS.RESOURCE_EXHAUSTION)];
  const enclosures = new Enclosures(document, text);
  const written = { text, document, enclosures, lines: text.split('\n'), lineOf };
  const problems = withoutEchoes(faults).flatMap((fault) => {
    const found = describe(fault, written);
    return found.length > 0 ? found : [problem(lineOf(fault.pos[0]), YAML_PROBLEMS[fault.code])];
  });
  return lodash.uniqBy(problems, ({ line, message }) => `${line} ${message}`);
}

/** In a text that nests too deeply, whatever needs the last of the stack fails: a list, a map, or a value that seems to have a wrong tag. */
function isForWantOfRoom({ code, message }: Fault): boolean {
  return code === 'RESOURCE_EXHAUSTION' || FAULTS.noRoom.test(message);
}

/**
 * Without what the parser reports because of another fault: a value that runs on into the next line's key is reported twice, from
 * the same offset; brackets around a quote that is not closed are not closed, and after them everything is unexpected; a line under
 * one that is indented wrongly differs from it.
 */
function withoutEchoes(faults: readonly Fault[]): readonly Fault[] {
  const runsOn = new Set(
    faults.filter(({ code }) => code === 'MULTILINE_IMPLICIT_KEY').map(({ pos }) => pos[0]),
  );
  const once = faults.filter(({ code, pos }) => code !== 'BLOCK_AS_IMPLICIT_KEY' || !runsOn.has(pos[0]));
  const unclosed = once.find(({ message }) => isUnclosed(message));
  const quote = once.find(({ message }) => isUnclosedQuote(message));
  return once.filter((fault, at) => {
    const { code, message } = fault;
    if (FAULTS.afterAll.test(message)) return unclosed === undefined;
    if (isUnclosed(message)) return quote === undefined || quote === fault;
    const isOfLine = code === 'MULTILINE_IMPLICIT_KEY' || FAULTS.otherColumn.test(message);
    return !(isOfLine && FAULTS.itemWithoutDash.test(once[at - 1]?.message ?? ''));
  });
}

function describe(fault: Fault, written: Written): readonly Problem[] {
  const { code, pos, message: cause } = fault;
  const line = written.lineOf(pos[0]);
  const message = YAML_PROBLEMS[code];
  if (cause === LOST_VALUE) return [problem(line, LOST)];
  if (FAULTS.comment.test(cause)) return [problem(line, COMMENT)];
  if (FAULTS.noColon.test(cause)) return withoutColon(line, written.lineOf(pos[1] - 1), written);
  if (code === 'MULTILINE_IMPLICIT_KEY') return runningOn(fault, written);
  const unclosed = written.enclosures.unclosedAt(fault);
  if (unclosed) return [notClosed(unclosed, line, written)];
  const { contents } = written.document;
  if (FAULTS.afterAll.test(cause) && isScalar(contents) && contents.range)
    return withoutColon(written.lineOf(contents.range[0]), written.lineOf(contents.range[1] - 1), written);
  if (code === 'BAD_INDENT' || FAULTS.itemWithoutDash.test(cause))
    return [problem(contentFrom(line, written), YAML_PROBLEMS.BAD_INDENT)];
  const first = contentFrom(1, written);
  if (code === 'UNEXPECTED_TOKEN' && written.lines[first - 1]?.startsWith(' ') === true && line > first) {
    return [problem(first, 'The first line is indented, and lines after it are not.')];
  }
  return [problem(line, message)];
}

function problem(line: number, message: string): Problem {
  return { line, key: '', message };
}

/** A text that ends in the key of a later line: a key without a colon, or a value above a line that is indented too deep. */
function runningOn({ pos: [from, to] }: Fault, written: Written): readonly Problem[] {
  const { text, lines, lineOf, enclosures } = written;
  const start = lineOf(from);
  const end = lineOf(to - 1);
  if (end === start || /["'[{]/u.test(text.charAt(from)))
    return [problem(start, YAML_PROBLEMS.MULTILINE_IMPLICIT_KEY)];
  if (enclosures.areAround(from)) return [problem(end, NO_COMMA)];
  if (BEFORE_KEY.test(text.slice(text.lastIndexOf('\n', from - 1) + 1, from)))
    return withoutColon(start, end - 1, written);
  const isDeeper = indentOf(lines[end - 1]) > indentOf(lines[start - 1]);
  const deeper = `The line is indented deeper than line ${start}, which already has a value.`;
  return [problem(end, isDeeper ? deeper : YAML_PROBLEMS.BAD_INDENT)];
}

function indentOf(line = ''): number {
  return line.search(/[^\s-]/u);
}

/** The first line lacks the colon, and so do those up to the last that are no deeper. */
function withoutColon(first: number, last: number, { lines }: Written): readonly Problem[] {
  const deepest = indentOf(lines[first - 1]);
  return lines
    .slice(first - 1, last)
    .flatMap((line, index) =>
      HAS_CONTENT.test(line) && indentOf(line) <= deepest ? [problem(first + index, NO_COLON)] : [],
    );
}

/** A comment may have the end of a list or of a map in it. */
function notClosed(
  { offset, missing, isQuote }: Unclosed,
  end: number,
  { text, lines, lineOf }: Written,
): Problem {
  const line = lineOf(offset);
  if (isQuote) return problem(line, `The text in quotes is not closed; ${missing} is missing.`);
  const comment = lines.slice(line - 1, end).findIndex(commentsBracket);
  if (comment >= 0) return problem(line + comment, COMMENT);
  return problem(line, `The ${text.charAt(offset)} is not closed; ${missing} is missing.`);
}

/** Whether a comment has the bracket that would have closed a list or a map. */
function commentsBracket(line: string): boolean {
  const start = line.search(COMMENT_START);
  return start >= 0 && CLOSING_BRACKET.test(line.slice(start));
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
