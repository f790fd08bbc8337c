import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type DocumentOptions,
  type ParseOptions,
  type ScalarTag,
  type SchemaOptions,
} from 'yaml';
import { shownKey, type Problem } from './problem.ts';
import { jsonOf } from './json.ts';
import { syntaxProblems } from './syntax.ts';

/** The path of a value in the file: keys of maps and indexes of lists, from the outside in. */
export type YamlPath = readonly PropertyKey[];

/** The YAML of a policy file. */
export interface Source {
  /** Maps, lists, texts, booleans and null: a number is the text that was written, so that it loses nothing. */
  readonly data: unknown;
  /** The line of a key or element, or of the nearest thing around it that is there. */
  lineOf(place: YamlPath): number;
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
const TYPES: ParseOptions & DocumentOptions & SchemaOptions = {
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
  const lines = new LineCounter();
  const document = parseDocument(text, { ...TYPES, lineCounter: lines });
  const faults = [...document.errors, ...document.warnings];
  const syntax = syntaxProblems(faults, text, lines);
  const isReported = ({ line }: Problem): boolean => syntax.some((problem) => problem.line === line);
  const found = [...forbiddenNodes(document, lines), ...repeatedKeys(document, lines)];
  const forbidden = found.filter((problem) => !isReported(problem));
  const problems = [...syntax, ...forbidden];
  if (problems.length > 0) return { problems };
  return {
    data: document.toJS({ maxAliasCount: 0 }),
    lineOf: (place) => lines.linePos(offsetOf(document, place)).line,
    jsonAt: (place) => {
      const node = nodeAt(document, place);
      return node === undefined ? undefined : jsonOf(node);
    },
  };
}

/** How deep maps and lists may nest, counted in steps of the YAML document: far more than any policy needs. */
const MAX_STEPS = 400;

/**
 * Aliases can make a small file huge, tags change what a value is, and `__proto__` is not an ordinary key for much of the
 * code that reads maps.
 */
function forbiddenNodes(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  const forbid = (offset: number | undefined, message: string): void => {
    problems.push({ line: lines.linePos(offset ?? 0).line, key: '', message });
  };
  visit(document, {
    Alias: (_, node) => forbid(node.range?.[0], 'A YAML alias is not allowed; write the value out.'),
    Value: (_, node, path) => {
      if (node.tag !== undefined)
        forbid(
          node.range?.[0],
          'A YAML tag (!) is not allowed; put text in quotes and write other values plainly.',
        );
      if (path.length <= MAX_STEPS) return undefined;
      forbid(node.range?.[0], 'The text nests too deeply.');
      return visit.SKIP;
    },
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '__proto__')
        forbid(key.range?.[0], 'The key __proto__ is not allowed.');
    },
  });
  return problems;
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
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
    return pair && isScalar(pair.key) ? { node: pair.value, offset: pair.key.range?.[0] ?? 0 } : undefined;
  }
  const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return isNode(item) ? { node: item, offset: item.range?.[0] ?? 0 } : undefined;
}
