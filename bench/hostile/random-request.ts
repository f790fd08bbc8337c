import { Reader, type Genome } from './search.ts';
import { access, decision, leaf, list, privilege, type HostileRequest } from './shape.ts';

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
];
const COLUMNS = [
  'ssn',
  '*',
  'a.ssn',
  'a.*.#',
  '$..ssn',
  '$..a..ssn',
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
const ACTIONS = ['MASK', 'last(1)', 'edges(1, •)', 'set', '2::first(0)', 'middle'];
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
const TYPES = ['STRING', 'NUMBER', 'DATE'];
/** What identifies the records in the lines of a rule that is in dry run. */
const DRY_RUNS = [undefined, undefined, undefined, undefined, 'ssn', 'a', 'json', '$..ssn', `*${INDEX}`];
/** In context mode, what identifies records. */
const ASSET_IDS = [undefined, undefined, undefined, undefined, 'ssn', 'a', '*', '$..ssn', '$.#.ssn'];
const ROOTS = [undefined, undefined, undefined, '$', '#', '$..a', '*', '$[1:100]'];

/** The request that a genome stands for. @param bytes about how long its payload is */
export function requestOf(genome: Genome, bytes: number): HostileRequest {
  const reader = new Reader(genome);
  const root = reader.one(ROOTS, undefined);
  const repeats = reader.one([1, 1, 1, 40, 400], 1);
  const rules = Array.from({ length: 1 + reader.number(4) }, () => rule(reader, repeats)).flat();
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
  return assetId === undefined ? {} : { calculationType: 'context', assetId, protectedObject: 'customers' };
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
function rule(reader: Reader, repeats: number): readonly Entry[] {
  const from = reader.mark();
  return Array.from({ length: repeats }, (_, index) => {
    reader.reset(from);
    const { section, entry } = oneRule(reader, index);
    const property = reader.one(DRY_RUNS, undefined);
    return {
      section,
      entry: property === undefined ? entry : inDryRun(entry, numbered(property, index), index),
    };
  });
}

function inDryRun(entry: object, property: string, index: number): object {
  return { ...entry, policies: [{ name: `policy ${index}`, metadata: { DRY_RUN: property } }] };
}

/** @param index another one for each of the rules that differ */
function oneRule(reader: Reader, index: number): Entry {
  const section = reader.one(['access', 'allowed', 'allowed', 'denied'], 'access');
  const action = reader.one(ACTIONS, 'MASK');
  if (section === 'access')
    return { section, entry: access(numbered(reader.one(COLUMNS, 'ssn'), index), action) };
  const leaves = Array.from({ length: 1 + reader.number(3) }, () => {
    const attribute = reader.one(ATTRIBUTES, 'ssn');
    return leaf(
      NAMED.has(attribute) ? attribute : numbered(attribute, index),
      reader.one(OPERATORS, 'EQUALS'),
      [reader.one([numbered('1', index), `${2020 + index}-01-01`], '1')],
      reader.one(TYPES, 'STRING'),
    );
  });
  const tree = reader.number(2) === 0 ? { AND: leaves } : { OR: leaves };
  return { section, entry: privilege(reader.number(3) === 0 ? 'FILTER' : action, tree) };
}

/** With its index where that has a place, or at its end. */
function numbered(text: string, index: number): string {
  if (text.includes(INDEX)) return text.replaceAll(INDEX, String(index));
  return index === 0 ? text : `${text}${index}`;
}
