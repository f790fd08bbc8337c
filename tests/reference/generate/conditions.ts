import * as fc from 'fast-check';
import { readsAs, type ValueType } from '../compare.ts';
import type { Attribute, Paths } from './paths.ts';

/** What stands in a decision: JSON. */
export type Said = string | number | boolean | null | readonly Said[] | SaidObject;
export interface SaidObject {
  readonly [name: string]: Said;
}

/** One object with what stands in several. */
export function joined(...parts: readonly SaidObject[]): SaidObject {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

const EQUALITY = ['EQUALS', 'NOTEQUALS', 'IN', 'NOT_IN', 'not_equals'] as const;
const ORDER = [
  'LESS',
  'LESS_EQUALS',
  'GREAT',
  'GREATE',
  'GREATER',
  'GREAT_EQUALS',
  'GREATER_EQUALS',
] as const;
const TEXT = ['CONTAINS', 'NOT_CONTAINS', 'STARTWITH', 'STARTS_WITH', 'ENDWITH', 'ENDS_WITH'] as const;
const PART_OF_NAME = ['STARTWITH', 'CONTAINS', 'ENDWITH', 'NOT_CONTAINS'] as const;
const WHOLE_NAME = ['EQUALS', 'IN', 'NOTEQUALS', 'NOT_IN'] as const;

const VALUES: Readonly<Record<ValueType, readonly string[]>> = {
  STRING: ['open', 'closed', 'US', '', '41'],
  INTEGER: ['0', '7', '-3', '9007199254740992', '41'],
  NUMBER: [
    '0',
    '1.1',
    '1e400',
    '12345678901234567891',
    '1E2',
    '1e12345678901234566',
    '-1e-99999999999999999',
  ],
  BOOLEAN: ['true', 'false', 'TRUE', 'False'],
  DATE: ['2024-05-01', '2020-01-01', '2020-01-02', '+12024-05-01', '0000-02-29'],
  DATETIME: [
    '2020-01-01T10:00:00Z',
    '2020-01-01T10',
    '2020-01-01T11:00+01:00',
    '2020-01-02T00:00:00.000000000001Z',
    '2017-01-01T00:00:00Z',
  ],
};

/** A leaf that reads the record, most often with a value that stands in one. */
function recordLeaf({ attribute }: Paths): fc.Arbitrary<Said> {
  const lengths = fc.constant<Attribute>({ path: 'tags.#', kind: 'number', text: '2' });
  const missing = fc.constant<Attribute>({ path: 'not.here', kind: 'string', text: 'x' });
  return fc
    .oneof(
      { weight: 8, arbitrary: attribute },
      { weight: 1, arbitrary: lengths },
      { weight: 1, arbitrary: missing },
    )
    .chain((at) => typeFor(at).chain((type) => leafOfType(at, type)));
}

/** A tree over a record alone. */
export function recordTree(paths: Paths): fc.Arbitrary<Said> {
  const leaves = fc.array(recordLeaf(paths), { maxLength: 2 });
  const inner = fc.tuple(fc.constantFrom('AND', 'OR'), leaves).map(([kind, nodes]) => ({ [kind]: nodes }));
  const nested = fc.array(fc.oneof(inner, recordLeaf(paths)), { minLength: 1, maxLength: 2 });
  return fc.oneof(
    { weight: 3, arbitrary: recordLeaf(paths).map((leaf) => ({ AND: [leaf] })) },
    { weight: 1, arbitrary: inner },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('AND', 'OR'), nested).map(([kind, nodes]) => ({ [kind]: nodes })),
    },
  );
}

/** A tree that decides on properties: by paths, by other operators on names and prefixes, or by the record alone. */
export function propertyTree(paths: Paths, path: fc.Arbitrary<string>): fc.Arbitrary<Said> {
  const exact = fc
    .array(path, { minLength: 1, maxLength: 2 })
    .map((names) => [nameLeaf('column', 'IN', names)]);
  const split = paths.split.map(({ prefix, column }) => [
    nameLeaf('column', 'EQUALS', [column]),
    nameLeaf('table', 'EQUALS', [prefix]),
  ]);
  const below = paths.split.map(({ prefix }) => [nameLeaf('table', 'EQUALS', [prefix])]);
  const operators = fc.array(byOperator(paths), { minLength: 1, maxLength: 2 });
  const one = fc.oneof({ weight: 4, arbitrary: exact }, { weight: 2, arbitrary: operators });
  return fc.oneof(
    { weight: 4, arbitrary: withRecordLeaves(paths, one) },
    { weight: 3, arbitrary: withRecordLeaves(paths, split) },
    { weight: 1, arbitrary: alternatives(withRecordLeaves(paths, exact)) },
    { weight: 1, arbitrary: alternatives(withRecordLeaves(paths, split)) },
    {
      weight: 1,
      arbitrary: fc.tuple(one, recordTree(paths)).map(([some, tree]) => ({ AND: [...some, tree] })),
    },
    { weight: 1, arbitrary: withRecordLeaves(paths, below) },
    { weight: 1, arbitrary: recordTree(paths) },
  );
}

/** A leaf on names or on prefixes, by a whole path or by a part of a text. */
function byOperator({ name, path, split }: Paths): fc.Arbitrary<Said> {
  const size = fc.integer({ min: 1, max: 12 });
  const part = fc
    .tuple(fc.constantFrom('column', 'column', 'table'), fc.constantFrom(...PART_OF_NAME), name, size)
    .map(([attribute, operator, text, length]) =>
      nameLeaf(attribute, operator, [partOf(operator, text, length)]),
    );
  const wholeName = fc
    .tuple(fc.constantFrom(...WHOLE_NAME), fc.array(path, { minLength: 1, maxLength: 2 }))
    .map(([operator, names]) => nameLeaf('column', operator, names));
  const prefix = fc
    .tuple(fc.constantFrom(...WHOLE_NAME), split)
    .map(([operator, at]) => nameLeaf('table', operator, [at.prefix]));
  const inOrder = fc
    .tuple(fc.constantFrom('column', 'column', 'table'), fc.constantFrom(...ORDER), orderedNames(name))
    .map(([attribute, operator, [type, value]]) => nameLeaf(attribute, operator, [value], type));
  return fc.oneof({ weight: 2, arbitrary: part }, wholeName, prefix, inOrder);
}

/** What names are put in order with: names, texts in order between ways to write an element, and numbers. */
function orderedNames(name: fc.Arbitrary<string>): fc.Arbitrary<readonly [type: string, value: string]> {
  return fc.oneof(
    name.map((text) => ['STRING', text] as const),
    fc
      .constantFrom('$', '#.', '-', '0', '0.', '1.5', 'json.$', 'json.1', '9', ':')
      .map((text) => ['STRING', text] as const),
    fc.constantFrom('0', '0.5', '1e2', '-1').map((text) => ['NUMBER', text] as const),
  );
}

function partOf(operator: string, text: string, size: number): string {
  return operator === 'ENDWITH' ? text.slice(-size) : text.slice(0, size);
}

function nameLeaf(attribute: string, operator: string, values: readonly string[], type = 'STRING'): Said {
  return { attribute, type, operator, values };
}

function withRecordLeaves(paths: Paths, names: fc.Arbitrary<readonly Said[]>): fc.Arbitrary<Said> {
  return fc
    .tuple(names, fc.array(recordLeaf(paths), { maxLength: 1 }))
    .map(([some, more]) => ({ AND: [...some, ...more] }));
}

function alternatives(tree: fc.Arbitrary<Said>): fc.Arbitrary<Said> {
  return fc.array(tree, { minLength: 1, maxLength: 2 }).map((nodes) => ({ OR: nodes }));
}

function typeFor({ kind }: Attribute): fc.Arbitrary<ValueType> {
  if (kind === 'number') return fc.constantFrom('NUMBER', 'INTEGER', 'STRING');
  if (kind === 'boolean') return fc.constantFrom('BOOLEAN', 'STRING');
  return fc.constantFrom('STRING', 'STRING', 'DATE', 'DATETIME', 'NUMBER');
}

function leafOfType({ path, text }: Attribute, type: ValueType): fc.Arbitrary<Said> {
  const fitting = [...(readsAs(type, text) ? [text, text, text] : []), ...VALUES[type]];
  return operatorFor(type).chain((operator) => {
    const values = fc.array(fc.constantFrom(...fitting), {
      minLength: 1,
      maxLength: takesList(operator) ? 3 : 1,
    });
    const match = fc.constantFrom({}, {}, {}, {}, { match: 'ALL' });
    const typed = type === 'STRING' ? fc.constantFrom({}, { type }) : fc.constant({ type });
    const rest = values.map((some) => ({ attribute: path, operator, values: some }));
    return fc.tuple(rest, typed, match).map((parts) => joined(...parts));
  });
}

function operatorFor(type: ValueType): fc.Arbitrary<string> {
  if (type === 'BOOLEAN') return fc.constantFrom(...EQUALITY);
  return fc.constantFrom(...EQUALITY, ...EQUALITY, ...ORDER, ...TEXT);
}

function takesList(operator: string): boolean {
  return operator.endsWith('IN');
}
