import lodash from 'lodash';
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  visit,
  type Document,
  type Pair,
  type ScalarTag,
  type YAMLMap,
} from 'yaml';
import { unfitCharacters } from './characters.ts';
import { documentOf, type ReadingOptions } from './document.ts';
import { shownKey, type Problem } from './problem.ts';
import { jsonOf } from './json.ts';
import { directives, forbiddenNodes, isOfAlias, pathsInComments } from './forbidden.ts';
import type { YamlPath } from './place.ts';
import { syntaxProblems } from './syntax.ts';

/** The YAML of a policy file. */
export interface Source {
  /** Maps, lists, texts, booleans and null: a number is the text that was written, so that it loses nothing. */
  readonly data: unknown;
  /** The line of a key or element, or of the nearest thing around it that is there. */
  lineOf(place: YamlPath): number;
  /** Whether nothing is there but a comment. */
  isComment(place: YamlPath): boolean;
  /** A value as JSON text, with numbers as they are written; undefined if nothing is there. */
  jsonAt(place: YamlPath): string | undefined;
}

/** Only `true` and `false` are booleans. `TRUE` is text, because a condition compares a value as it is written. */
const BOOLEAN: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:true|false)$/,
  resolve: (text) => text === 'true',
};

/** Of the types of YAML, booleans and null. */
const TYPES: ReadingOptions = {
  version: '1.2',
  schema: 'failsafe',
  customTags: [BOOLEAN, 'null'],
  stringKeys: true,
  // Repeated keys are found below, where both lines are known.
  uniqueKeys: false,
  prettyErrors: false,
};

/** Reads the YAML, or finds everything that makes it unreadable. */
export function readSource(text: string): Source | { readonly problems: readonly Problem[] } {
  const unfit = unfitCharacters(text);
  if (unfit.length > 0) return { problems: unfit };
  const lines = new LineCounter();
  const comments = pathsInComments();
  const stray = directives();
  const document = documentOf(text, lines, TYPES, (lexeme, offset) => {
    comments.see(lexeme, offset);
    stray.see(lexeme, offset);
  });
  const errors = document.errors.filter((error) => !isOfAlias(error));
  const strays = stray.problems(lines);
  if (errors.length === 0 && strays.length > 0) return { problems: strays };
  const faults = [...errors, ...document.warnings];
  const syntax = syntaxProblems(document, faults, text, lines);
  const reported = new Set(syntax.map(({ line }) => line));
  const found = [
    ...forbiddenNodes(document, lines),
    ...comments.problems(lines),
    ...repeatedKeys(document, lines),
  ];
  const forbidden = lodash.uniqBy(
    found.filter(({ line }) => !reported.has(line)),
    ({ line, key, message }) => `${line} ${key} ${message}`,
  );
  const problems = [...syntax, ...forbidden];
  if (problems.length > 0) return { problems };
  return {
    data: document.toJS({ maxAliasCount: 0 }),
    lineOf: (place) => lines.linePos(offsetOf(document, place)).line,
    isComment: (place) => {
      const node = nodeAt(document, place);
      return isScalar(node) && node.value === null && typeof node.comment === 'string';
    },
    jsonAt: (place) => {
      const node = nodeAt(document, place);
      return node === undefined ? undefined : jsonOf(node);
    },
  };
}

function repeatedKeys(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  const lineAt = (offset = 0): number => lines.linePos(offset).line;
  visit(document, {
    Map: (_, { items }) => {
      const places = new Map<unknown, number | undefined>();
      for (const key of items.map((item) => item.key).filter(isScalar)) {
        const offset = key.range?.[0];
        if (places.has(key.value)) {
          const message = `is given twice; the first is on line ${lineAt(places.get(key.value))}`;
          problems.push({ line: lineAt(offset), key: shownKey(String(key.value)), message });
        } else places.set(key.value, offset);
      }
    },
  });
  return problems;
}

function offsetOf(document: Document, place: YamlPath): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of place) {
    const found = entryOf(node, step);
    if (found === undefined) break;
    ({ node, offset } = found);
  }
  return offset;
}

function nodeAt(document: Document, place: YamlPath): unknown {
  let node: unknown = document.contents;
  for (const step of place) node = entryOf(node, step)?.node;
  return node;
}

function entryOf(node: unknown, step: PropertyKey): { node: unknown; offset: number } | undefined {
  if (isMap(node)) {
    const pair = pairsOf(node).get(step);
    return pair && isScalar(pair.key) ? { node: pair.value, offset: pair.key.range?.[0] ?? 0 } : undefined;
  }
  const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return isNode(item) ? { node: item, offset: item.range?.[0] ?? 0 } : undefined;
}

/** The entries of maps that were looked into: one may have as many problems as entries. */
const known = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

/** The entries of a map by their keys; of several with one key, the first. */
function pairsOf(map: YAMLMap): ReadonlyMap<unknown, Pair> {
  const before = known.get(map);
  if (before !== undefined) return before;
  const pairs = new Map<unknown, Pair>();
  for (const pair of map.items)
    if (isScalar(pair.key) && !pairs.has(pair.key.value)) pairs.set(pair.key.value, pair);
  known.set(map, pairs);
  return pairs;
}
