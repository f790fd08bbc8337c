import { Reader, type Genome } from './search.ts';
import { access, decision, leaf, list, privilege, type HostileRequest, type Tree } from './shape.ts';

const NAMES = ['ssn', 'a', 'é', '*', '#', 'json', '\\u0061', 'n'.repeat(300)];
/** Stands for another number in each record, and in each of many rules. */
const INDEX = '@';
const VALUES = [
  '1',
  '""',
  '"x"',
  'null',
  '{}',
  '[]',
  '"été"',
  '"\\n\\ud83d"',
  '1.50e3',
  '"2026-01-01"',
  '[1,[2,[]]]',
  INDEX,
  `"${INDEX}"`,
  `"x${INDEX}"`,
  `[${Array.from({ length: 70 }, () => '1').join(',')}]`,
  `"${'ab'.repeat(100_000)}"`,
  `"${'\\u0061'.repeat(30_000)}"`,
  '1'.repeat(200_000),
];
const COLUMNS = [
  'ssn',
  '*',
  'a.ssn',
  'a.*.#',
  '$..ssn',
  '$..a..ssn',
  '$..*',
  `$..[${INDEX}]`,
  '*s*n*',
  '#',
  '$[0:9:2].ssn',
  'json.#.a',
  'a.b.c',
  `ssn.${INDEX}`,
  `$.ssn[${INDEX},-${INDEX}]`,
  `$.ssn[${INDEX}:]`,
  `$.ssn[-${INDEX}:]`,
  `$..[-${INDEX}::3]`,
  `$..[${INDEX}].ssn`,
  `*${INDEX}*`,
  `$.ssn${INDEX}..a`,
];
const ACTIONS = [
  'MASK',
  'last(1)',
  'edges(1, •)',
  'set',
  '2::first(0)',
  'middle',
  'remove()',
  'email()',
  'card()',
  'year()',
  'round(10)',
  '3::null()',
];
const OPERATORS = ['EQUALS', 'NOT_IN', 'STARTS_WITH', 'CONTAINS', 'ENDS_WITH', 'LESS'];
const ATTRIBUTES = [
  'column',
  'table',
  'ssn',
  'a.#',
  '$..ssn',
  'json.#.ssn',
  'rows.3.ssn',
  '*',
  `${INDEX}.ssn`,
  `$.ssn[-${INDEX}:]`,
  `$..ssn[${INDEX}]`,
  `*${INDEX}`,
];
/** The names that conditions are about keep their meaning. */
const NAMED: ReadonlySet<string> = new Set(['column', 'table']);
/** What they are compared with. */
const NAMES_COMPARED = [...COLUMNS, 'a', `a${INDEX}`, `a.b${INDEX}`, `2${INDEX}`];
/** What others are compared with. */
const VALUES_COMPARED = ['1', `1${INDEX}`, `20${INDEX}-01-01`, `abab${INDEX}`];
/** With how many others. */
const OTHER_VALUES = [0, 0, 0, 0, 1, 3, 20];
/** What names are below. */
const PREFIXES = [undefined, undefined, 'a', 'ssn', `a${INDEX}`];
const TYPES = ['STRING', 'NUMBER', 'DATE'];
/** What identifies the records in the lines of a rule that is in dry run. */
const DRY_RUNS = [undefined, undefined, undefined, undefined, 'ssn', 'a', 'json', '$..ssn', `*${INDEX}`];
/** In context mode, what all records are. */
const ASSET_TYPE = 'customers';
/** What identifies them. */
const ASSET_IDS = [undefined, undefined, undefined, undefined, 'ssn', 'a', '*', '$..ssn', '$.#.ssn'];
/** The records that listed properties are of, in context mode: those with this identifier. */
const ASSETS = [undefined, undefined, undefined, '1', 'x', INDEX];
const ROOTS = [undefined, undefined, undefined, '$', '#', '$..a', '*', '$[1:100]'];

/** How deep groups of conditions are in each other at most. */
const LEVELS = 3;

/** How large a request is. */
interface RequestSize {
  /** About how long its payload is. */
  readonly bytes: number;
  /** Of how many rules each may be one that differ in what they name. */
  readonly rules: readonly number[];
  /** Of how many parts a group of conditions may have one that differ in what they name. */
  readonly parts: readonly number[];
}

/** A payload of some size, under rules that are few or many. */
export function payloadOf(genome: Genome, bytes: number): HostileRequest {
  return requestOf(genome, { bytes, rules: [1, 1, 1, 40, 400], parts: [1, 1, 40] });
}

/** A small payload, under very many rules. */
export function decisionOf(genome: Genome, rules: number): HostileRequest {
  return requestOf(genome, { bytes: 400, rules: [1, rules], parts: [1, 1, rules / 2] });
}

/** The request that a genome stands for. */
function requestOf(genome: Genome, { bytes, rules: counts, parts }: RequestSize): HostileRequest {
  const reader = new Reader(genome);
  const root = reader.one(ROOTS, undefined);
  const rules = Array.from({ length: 1 + reader.number(4) }, () =>
    rule(reader, reader.one(counts, 1), parts),
  ).flat();
  const sections = (name: string): object[] =>
    rules.filter((one) => one.section === name).map(({ entry }) => entry);
  return {
    payload: list(bytes, record(reader)),
    parameters: { ...(root !== undefined && { root }), ...contextOf(reader) },
    decision: decision(sections('access'), sections('allowed'), sections('denied')),
  };
}

function contextOf(reader: Reader): object {
  const assetId = reader.one(ASSET_IDS, undefined);
  return assetId === undefined ? {} : { calculationType: 'context', assetId, protectedObject: ASSET_TYPE };
}

/** What makes the records: members or elements, in so many levels, with names that differ or do not. */
function record(reader: Reader): (index: number) => string {
  const [open, close] = reader.one(
    [
      ['{"a":', '}'],
      ['[', ']'],
      ['[0,', ']'],
      ['{"ssn":1,"a":', '}'],
    ],
    ['', ''],
  );
  const depth = reader.one([0, 0, 1, 3, 50, 400], 0);
  const members = reader.one([0, 1, 2, 8, 100], 1);
  const name = reader.one(NAMES, 'ssn');
  const isDistinct = reader.number(2) === 1;
  const value = reader.one(VALUES, '1');
  const isObject = reader.number(3) > 0;
  return (index) => {
    const content = Array.from({ length: members }, (_, at) =>
      isObject ? `"${name}${isDistinct ? index * members + at : ''}":${value}` : value,
    ).join(',');
    const own = content.replaceAll(INDEX, String(index));
    return `${open.repeat(depth)}${isObject ? `{${own}}` : `[${own}]`}${close.repeat(depth)}`;
  };
}

interface Entry {
  readonly section: string;
  readonly entry: object;
}

/** A rule, or as many that differ in what they name. */
function rule(reader: Reader, repeats: number, parts: readonly number[]): readonly Entry[] {
  return repeated(reader, repeats, (index) => {
    const { section, entry } = oneRule(reader, index, repeats > 1 ? [] : parts);
    const property = reader.one(DRY_RUNS, undefined);
    return {
      section,
      entry: property === undefined ? entry : inDryRun(entry, numbered(property, index), index),
    };
  });
}

/** The same so many times, of which each has an index of its own. */
function repeated<T>(reader: Reader, repeats: number, one: (index: number) => T): readonly T[] {
  const from = reader.mark();
  return Array.from({ length: repeats }, (_, index) => {
    reader.reset(from);
    return one(index);
  });
}

function inDryRun(entry: object, property: string, index: number): object {
  return { ...entry, policies: [{ name: `policy ${index}`, metadata: { DRY_RUN: property } }] };
}

function ofAsset(entry: object, path: string): object {
  return { ...entry, resourceType: ASSET_TYPE, path };
}

/** @param index another one for each of the rules that differ */
function oneRule(reader: Reader, index: number, parts: readonly number[]): Entry {
  const section = reader.one(['access', 'allowed', 'allowed', 'denied'], 'access');
  const action = reader.one(ACTIONS, 'MASK');
  if (section === 'access') {
    const table = reader.one(PREFIXES, undefined);
    const column = numbered(reader.one(COLUMNS, 'ssn'), index);
    const entry = access(column, action, table && numbered(table, index));
    const asset = reader.one(ASSETS, undefined);
    return { section, entry: asset === undefined ? entry : ofAsset(entry, numbered(asset, index)) };
  }
  const condition = group(reader, index, parts);
  return { section, entry: privilege(reader.number(3) === 0 ? 'FILTER' : action, condition) };
}

/** Conditions of which all or any have to hold, and groups of them, some of which are there as often as parts may be. */
function group(reader: Reader, index: number, parts: readonly number[], levels = LEVELS): Tree {
  const of = Array.from({ length: 1 + reader.number(3) }, () => {
    const isLeaf = reader.number(3) > 0 || levels === 1;
    const repeats = reader.one(parts, 1);
    const inner = repeats > 1 ? [] : parts;
    return repeated(reader, repeats, (part) =>
      isLeaf ? comparison(reader, index + part) : group(reader, index + part, inner, levels - 1),
    );
  }).flat();
  return reader.number(2) === 0 ? { AND: of } : { OR: of };
}

function comparison(reader: Reader, index: number): Tree {
  const attribute = reader.one(ATTRIBUTES, 'ssn');
  const operator = reader.one(OPERATORS, 'EQUALS');
  const type = reader.one(TYPES, 'STRING');
  const isNamed = NAMED.has(attribute);
  const value = numbered(reader.one(isNamed ? NAMES_COMPARED : VALUES_COMPARED, '1'), index);
  const values = [value, ...alsoCompared(value, reader.one(OTHER_VALUES, 0))];
  const match = reader.one(['ANY', 'ANY', 'ALL'], 'ANY');
  return isNamed
    ? leaf(attribute, operator, values, value.startsWith('2') ? type : 'STRING', match)
    : leaf(numbered(attribute, index), operator, values, type, match);
}

/** So many others of the same kind. */
function alsoCompared(value: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    value.startsWith('20') ? `20${at}-01-01` : `${value}${at}`,
  );
}

/** With its index where that has a place, or at its end. */
function numbered(text: string, index: number): string {
  if (text.includes(INDEX)) return text.replaceAll(INDEX, String(index));
  return index === 0 ? text : `${text}${index}`;
}
