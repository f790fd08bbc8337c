import { CST, isMap, isScalar, isSeq, Scalar, visit, type Document, type LineCounter } from 'yaml';
import type { Reader } from './document.ts';
import { keyOf, MAX_STEPS, placeOf } from './place.ts';
import type { Problem } from './problem.ts';

export const ALIAS = 'is a YAML alias, which is not allowed; put a value that begins with * in quotes';
export const ANCHOR = 'is a YAML anchor, which is not allowed; put a value that begins with & in quotes';
const SPLIT =
  'continues on the next line; put a dash or a comma before the next element, or quotes around one text of several lines';
export const NO_KEY = 'A key is missing before a colon; write "key: value", and an empty key in quotes.';
const SPLIT_KEY = 'A key goes over several lines; put a comma after each element of a map in braces.';

/**
 * Aliases can make a small file huge, anchors take the first word from a text that begins with `&`, tags change what a value
 * is, a forgotten dash makes one element of two, and `__proto__` is not an ordinary key for much of the code that reads maps.
 */
export function forbiddenNodes(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  const forbid = (offset: number | undefined, message: string, key = ''): void => {
    problems.push({ line: lines.linePos(offset ?? 0).line, key, message });
  };
  visit(document, {
    Alias: (_, node, path) => forbid(node.range?.[0], ALIAS, keyOf(placeOf(node, path))),
    Value: (_, node, path) => {
      if (node.tag !== undefined)
        forbid(
          node.range?.[0],
          'A YAML tag (!) is not allowed; put text in quotes and write other values plainly.',
        );
      if (node.anchor !== undefined) forbid(node.range?.[0], ANCHOR, keyOf(placeOf(node, path)));
      if (isSeq(path.at(-1)) && isSplit(node, lines))
        forbid(node.range?.[0], SPLIT, keyOf(placeOf(node, path)));
      if (path.length <= MAX_STEPS) return undefined;
      forbid(node.range?.[0], 'The text nests too deeply.');
      return visit.SKIP;
    },
    Pair: (_, { key }, path) => {
      if (!isScalar(key)) return;
      if (key.value === '__proto__') forbid(key.range?.[0], 'The key __proto__ is not allowed.');
      if (isMissing(key)) forbid(key.range?.[0], NO_KEY);
      if (isInBraces(path) && isSplit(key, lines)) forbid(key.range?.[0], SPLIT_KEY);
    },
  });
  return problems;
}

/** Whether nothing is before the colon. The parser takes `[a]: b` for the value of a key above and a value without a key. */
export function isMissing(key: Scalar): boolean {
  return key.source === '' && key.type === Scalar.PLAIN;
}

/** Where a key of several lines is one of several, of which a comma is missing. Helm folds long keys, and writes no braces. */
function isInBraces(path: readonly unknown[]): boolean {
  const map = path.at(-1);
  return isMap(map) && map.flow === true;
}

/** Whether a text that is not in quotes continues on another line: in a list, two elements are meant most often. */
function isSplit(node: unknown, lines: LineCounter): boolean {
  if (!isScalar(node) || node.type !== Scalar.PLAIN || !node.range) return false;
  const [start, end] = node.range;
  return lines.linePos(start).line !== lines.linePos(end).line;
}

/** Whether the parser reports the name of an alias: no alias is allowed, whatever its name. */
export function isOfAlias({ message }: { readonly message: string }): boolean {
  return message.startsWith('Alias ');
}

/** Finds lexemes that no file may have, while its text is read. */
export class StrayLexemes {
  readonly #offsets: number[] = [];
  readonly #isStray: (lexeme: string, before: string) => boolean;
  readonly #message: string;
  #before = '';

  constructor(isStray: (lexeme: string, before: string) => boolean, message: string) {
    this.#isStray = isStray;
    this.#message = message;
  }

  readonly see: Reader = (lexeme, offset) => {
    if (this.#isStray(lexeme, this.#before)) this.#offsets.push(offset);
    this.#before = lexeme;
  };

  problems(lines: LineCounter): readonly Problem[] {
    return this.#offsets.map((offset) => ({
      line: lines.linePos(offset).line,
      key: '',
      message: this.#message,
    }));
  }
}

const DIRECTIVE = 'A line that begins with % is not allowed, except for %YAML 1.2.';

/** The version that files are read by. */
const USUAL_DIRECTIVE = /^%YAML[\t ]+1\.2[\t ]*$/u;

/** Directives. The parser ignores those that it does not know; `%YAML 1.1` changes how values are read. */
export function directives(): StrayLexemes {
  return new StrayLexemes(
    (lexeme, before) => before !== CST.SCALAR && lexeme.startsWith('%') && !USUAL_DIRECTIVE.test(lexeme),
    DIRECTIVE,
  );
}

const PATH_IN_COMMENT =
  '# begins a comment here; put a path that begins with # in quotes, and a space after the # of a comment.';

/** `#.number`; not `#...` nor `# .number`. */
const PATH_COMMENT = /^#\.[^\s.]/u;

/** Paths that begin with `#` and are not in quotes. In a list of several lines, one would be lost without a trace. */
export function pathsInComments(): StrayLexemes {
  return new StrayLexemes((lexeme) => PATH_COMMENT.test(lexeme), PATH_IN_COMMENT);
}
