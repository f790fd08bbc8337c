import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter } from 'yaml';
import type { Node, Pair, Range, Scalar, YAMLMap } from 'yaml';
import type { Problem } from './problem.ts';
import { unfitCharacters } from './characters.ts';
import { documentOf } from './document.ts';
import { ALIAS, ANCHOR, directives, isMissing, isOfAlias, NO_KEY } from './forbidden.ts';
import { shownKey } from './problem.ts';
import { syntaxProblems } from './syntax.ts';

/** Replaces a value that could not be read and is reported already. */
export const UNREADABLE = Symbol('unreadable');

/** A YAML map as plain data, with the line of each key. */
export interface YamlFile {
  /** Nested as written. A null, or nothing, is undefined. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The line of each key, by its dotted name. */
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
  /**
   * Whether `values` is all that the text says, except for {@link UNREADABLE} ones; if not, further checks make no
   * sense.
   */
  readonly sound: boolean;
}

const TAG = 'has a YAML tag (!), which is not allowed; put text in quotes and write other values plainly';

const INEXACT = 'is a number that would lose digits; put it in quotes';

const NO_SPACE = 'has no space after its colon; put a name that has a colon in quotes';

const NOT_A_MAP = 'The top level must be a map, that is lines of "key: value".';

/** Repeated keys are found while reading, with both lines. */
const PARSE_OPTIONS = { prettyErrors: false, stringKeys: true, uniqueKeys: false } as const;

interface Located {
  readonly range?: Range | null;
}

/** Walks the document rather than having it converted, so that nothing is resolved: no alias, no tag, no merge. */
class MapReader {
  readonly lines = new Map<string, number>();
  readonly problems: Problem[] = [];
  readonly #counter: LineCounter;

  constructor(counter: LineCounter) {
    this.#counter = counter;
  }

  read(map: YAMLMap, prefix: string): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const pair of map.items) this.#readPair(pair, prefix, entries);
    return Object.fromEntries(entries);
  }

  lineOf(node: Located): number {
    return this.#counter.linePos(node.range?.[0] ?? 0).line;
  }

  #readPair({ key: name, value }: Pair, prefix: string, entries: Map<string, unknown>): void {
    // Anything else was refused as NON_STRING_KEY.
    if (!isScalar(name)) return;
    const word = String(name.value);
    const line = this.lineOf(name);
    if (isMissing(name)) {
      this.problems.push({ line, key: '', message: NO_KEY });
      return;
    }
    if (name.type === 'PLAIN' && word.includes(':')) {
      this.problems.push({ line, key: prefix + shownKey(word), message: NO_SPACE });
      return;
    }
    const key = prefix + word;
    if (name.tag !== undefined) this.#unreadable(name, key, TAG);
    if (name.anchor !== undefined) this.#unreadable(name, key, ANCHOR);
    if (entries.has(word)) {
      const message = `is given twice; the first is on line ${this.lines.get(key)}`;
      this.problems.push({ line, key, message });
    }
    this.lines.set(key, line);
    entries.set(word, this.#value(value, key));
  }

  #value(node: unknown, key: string): unknown {
    if (isAlias(node)) return this.#unreadable(node, key, ALIAS);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return undefined;
    if (node.tag !== undefined) return this.#unreadable(node, key, TAG);
    if (node.anchor !== undefined) this.#unreadable(node, key, ANCHOR);
    if (isMap(node)) return this.read(node, `${key}.`);
    if (isSeq(node)) return node.items.map((item, index) => this.#item(item, `${key}.${index}`));
    if (isInexact(node)) return this.#unreadable(node, key, INEXACT);
    return isCode(node) ? node.source : (node.value ?? undefined);
  }

  #item(node: unknown, key: string): unknown {
    if (isNode(node)) this.lines.set(key, this.lineOf(node));
    return this.#value(node, key);
  }

  #unreadable(node: Located, key: string, message: string): typeof UNREADABLE {
    this.problems.push({ line: this.lineOf(node), key, message });
    return UNREADABLE;
  }
}

/** Whether a number was rounded when it was read: it has more digits than JavaScript keeps, or is too large. */
function isInexact({ value, source = '' }: Scalar): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^[-+]?\d/u.test(source)) return false;
  return !Number.isFinite(value) || (/^-?\d+$/u.test(source) && BigInt(source) !== BigInt(value));
}

/** Whether a number is more likely text, as in policy files: as a number, `00123` is another user than the one that is written. */
function isCode({ value, source = '' }: Scalar): boolean {
  return typeof value === 'number' && /^(?:\+|-?0[\dox])/u.test(source);
}

function isEmpty(contents: Node | null): contents is null | Scalar {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function isPlainMap(contents: Node | null): contents is YAMLMap {
  return isMap(contents) && contents.tag === undefined;
}

function broken(problems: readonly Problem[]): YamlFile {
  return { values: {}, lines: new Map(), problems, sound: false };
}

/**
 * Reads a YAML text whose top level is a map; an empty text is an empty map.
 *
 * Refused, each with its line: text that is not YAML, a second document, repeated keys, aliases and tags, and what would be lost.
 */
export function readYaml(text: string): YamlFile {
  const unfit = unfitCharacters(text);
  if (unfit.length > 0) return broken(unfit);
  const counter = new LineCounter();
  const stray = directives();
  const document = documentOf(text, counter, PARSE_OPTIONS, stray.see);
  const reader = new MapReader(counter);
  const { contents } = document;
  const errors = document.errors.filter((error) => !isOfAlias(error));
  if (errors.length > 0) return broken(syntaxProblems(document, errors, text, counter));
  const strays = stray.problems(counter);
  if (strays.length > 0) return broken(strays);
  if (!isEmpty(contents) && !isPlainMap(contents)) {
    return broken([{ line: reader.lineOf(contents), key: '', message: NOT_A_MAP }]);
  }
  if (contents?.anchor !== undefined)
    return broken([{ line: reader.lineOf(contents), key: '', message: ANCHOR }]);
  const values = isPlainMap(contents) ? reader.read(contents, '') : {};
  return { values, lines: reader.lines, problems: reader.problems, sound: true };
}
