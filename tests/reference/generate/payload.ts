import * as fc from 'fast-check';
import { arrayOf, memberOf, NULL, keyIdOf, objectOf, stringOf, type Json } from '../model.ts';
import {
  anyBoolean,
  anyEmpty,
  anyNumber,
  anyScalar,
  anyString,
  anyValue,
  member,
  ODD_NAMES,
} from './values.ts';

/** A payload, its records, and how a decision may name the place of the records. */
export interface Payload {
  readonly json: Json;
  readonly records: readonly Json[];
  readonly root: string | undefined;
  readonly rootWord: string | undefined;
  /** What a path of a decision may begin with in the payload's reading. */
  readonly prefixes: readonly string[];
}

const text = (...texts: string[]): fc.Arbitrary<Json> => fc.constantFrom(...texts).map(stringOf);
const mostly = (usual: fc.Arbitrary<Json>, unusual: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: unusual });
const object = (fields: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Json> =>
  fc
    .subarray(Object.entries(fields))
    .chain((chosen) => fc.tuple(...chosen.map(([name, value]) => member(fc.constant(name), value))))
    .map(objectOf);
const array = (item: fc.Arbitrary<Json>): fc.Arbitrary<Json> => fc.array(item, { maxLength: 3 }).map(arrayOf);

const DATES = [
  '2024-05-01',
  '2020-01-01T10:00:00Z',
  '2020-01-01T11:00:00+01:00',
  '2020-01-01T11+01',
  '2020-01-01T24:00:00Z',
  '2020-01-01T23:59:59.99999999999Z',
  '2016-12-31T23:59:60Z',
  '+12024-05-01',
  '-00044-03-15',
  '2020-01-01T10:00+99:99',
  '2024-02-30',
  'soon',
];

const address = object({ city: anyString, zip: mostly(anyNumber, anyEmpty) });
const customer = object({ name: anyString, ssn: mostly(anyString, anyScalar), age: anyNumber, address });
const account = object({ iban: anyString, balance: anyNumber, holders: array(object({ ssn: anyString })) });

/** The fields of a record: what a service would send, with odd values in between. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  status: mostly(text('open', 'closed'), anyEmpty),
  country: mostly(text('US', 'DE', 'FR'), anyValue),
  n: mostly(
    fc.integer({ min: 0, max: 20 }).map((n) => keyIdOf(String(n))),
    anyScalar,
  ),
  amount: mostly(anyNumber, anyScalar),
  day: mostly(text(...DATES), anyScalar),
  vip: mostly(anyBoolean, anyScalar),
  ssn: mostly(anyString, anyValue),
  region: mostly(anyEmpty, anyString),
  customer: mostly(customer, fc.oneof(anyValue, array(customer))),
  accounts: mostly(array(mostly(account, anyValue)), fc.oneof(anyValue, account, array(array(account)))),
  odd: fc.array(member(fc.constantFrom(...ODD_NAMES), anyValue), { maxLength: 4 }).map(objectOf),
};

const anyId: fc.Arbitrary<Json> = fc.oneof(
  text('c1', 'c2', 'c3'),
  fc.constantFrom('7', '8', '1.0').map(keyIdOf),
);

/** A record always has an identifier and a list of tags; now and then a name stands twice. */
const anyRecord: fc.Arbitrary<Json> = fc
  .tuple(
    member(fc.constant('id'), anyId),
    member(fc.constant('tags'), array(mostly(anyScalar, array(anyString)))),
    object(FIELDS),
    fc.option(fieldAgain(), { freq: 4 }),
  )
  .chain(([id, tags, fields, again]) => {
    const members = fields.kind === 'object' ? fields.members : [];
    return fc
      .shuffledSubarray([id, tags, ...members, ...(again === null ? [] : [again])], { minLength: 1 })
      .map((some) =>
        objectOf([...(some.includes(id) ? [] : [id]), ...(some.includes(tags) ? [] : [tags]), ...some]),
      );
  });

function fieldAgain(): ReturnType<typeof member> {
  return fc
    .constantFrom(...Object.entries(FIELDS))
    .chain(([name, value]) => member(fc.constant(name), value));
}

const anyRecords = fc.array(anyRecord, { minLength: 1, maxLength: 3 });
const anyScalars = fc.array(anyScalar, { minLength: 1, maxLength: 2 });

const ROWS_ROOTS = [
  'data.rows',
  'json.data.rows',
  'data.r*',
  '*.rows',
  'data.?ows',
  '$.data.rows',
  '$..rows',
];
const ROWS = [
  'data.rows.#',
  'data.rows',
  'data.rows.1',
  'json.data.rows.#',
  'data.r*',
  '*.rows',
  '$.data.rows[*]',
  '$..rows[*]',
];
const LINES_ROOTS = [
  'orders.#.lines',
  'orders.lines',
  '$.orders[0,1].lines',
  '$.orders[*].lines',
  'orders.#.l*',
];
const LINES = [
  'orders.#.lines.#',
  'orders.lines',
  'orders.0.lines',
  'orders.1.lines.0',
  'json.orders.lines',
  'o*.lines.#',
  '$.orders[1].lines[*]',
];
const BRANCHES = ['data.*', 'data.?u', '$.data.*'];
const DOUBTFUL_ROOTS = [
  'nope',
  'data.nope',
  'ssn',
  'tags.#',
  'nothing',
  'none',
  'none.#.inner',
  'none.0',
  '$.none[-1]',
  '$.none[0:1]',
  '$.none.#.inner',
  '$..nested',
  '$.data',
  '*ata',
  'data.9',
];

const outside = { ssn: stringOf('outside'), region: NULL, tags: arrayOf([stringOf('outside')]) };

/** A payload in one of the shapes that services send, with its records below a root or a root word. */
export const anyPayload: fc.Arbitrary<Payload> = fc.oneof(
  { weight: 4, arbitrary: anyRecords.chain(bareArrayOf) },
  { weight: 2, arbitrary: anyRecord.chain(bareObject) },
  { weight: 4, arbitrary: anyRecords.map(underRootWord) },
  { weight: 1, arbitrary: anyRecord.map(oneUnderRootWord) },
  { weight: 3, arbitrary: fc.tuple(anyRecords, fc.constantFrom(...ROWS_ROOTS)).map(underRoot) },
  { weight: 2, arbitrary: fc.tuple(anyRecords, anyRecords, fc.constantFrom(...LINES_ROOTS)).map(underMany) },
  { weight: 2, arbitrary: fc.tuple(anyRecords, anyRecord, fc.constantFrom(...BRANCHES)).map(inBranches) },
  { weight: 1, arbitrary: fc.tuple(anyRecord, anyRecord).map(underIndex) },
  { weight: 2, arbitrary: fc.tuple(anyRecords, anyRecords, anyScalars).chain(amongScalars) },
  { weight: 1, arbitrary: anyScalars.map(ofScalars) },
  { weight: 1, arbitrary: anyRecords.chain(withDoubtfulRoot) },
);

function bareArrayOf(records: readonly Json[]): fc.Arbitrary<Payload> {
  const common = { json: arrayOf(records), records, root: undefined };
  const plain = ['json.#', 'json', '#', '0', 'json.1', '$[*]', '$[0]'];
  return fc.constantFrom(
    { ...common, rootWord: undefined, prefixes: plain },
    { ...common, rootWord: 'result', prefixes: [...plain, ...RESULT] },
    { ...common, root: 'json', rootWord: undefined, prefixes: plain },
  );
}

const RESULT = ['result.#', 'result', 'result.0', 'json.result.#', 'r*', '$.result[*]'];

function bareObject(record: Json): fc.Arbitrary<Payload> {
  const common = { json: record, records: [record], root: undefined };
  return fc.constantFrom(
    { ...common, rootWord: undefined, prefixes: ['json', '#'] },
    { ...common, rootWord: 'result', prefixes: ['result', 'json.result', 'json'] },
  );
}

function underRootWord(records: readonly Json[]): Payload {
  const json = beside({ result: arrayOf(records) });
  return { json, records, root: undefined, rootWord: 'result', prefixes: RESULT };
}

function oneUnderRootWord(record: Json): Payload {
  const json = beside({ result: record });
  const prefixes = ['result', 'result.#', 'json.result', '$.result'];
  return { json, records: [record], root: undefined, rootWord: 'result', prefixes };
}

function underRoot([records, root]: [readonly Json[], string]): Payload {
  const json = beside({ data: beside({ rows: arrayOf(records) }) });
  return { json, records, root, rootWord: 'result', prefixes: ROWS };
}

function underMany([first, second, root]: [readonly Json[], readonly Json[], string]): Payload {
  const orders = [beside({ lines: arrayOf(first) }), beside({ lines: arrayOf(second) })];
  const records = [...first, ...second];
  const json = beside({ orders: arrayOf(orders) });
  return { json, records, root, rootWord: undefined, prefixes: LINES };
}

/** Records in several branches, one of them a single object. */
function inBranches([some, one, root]: [readonly Json[], Json, string]): Payload {
  const data = objectOf([memberOf('eu', arrayOf(some)), memberOf('us', one)]);
  const prefixes = [
    'data.eu',
    'data.us',
    'data.eu.0',
    'data.*',
    'json.data.us.#',
    '$.data.eu[*]',
    'data.e?.#',
  ];
  return { json: beside({ data }), records: [...some, one], root, rootWord: undefined, prefixes };
}

function underIndex([other, record]: [Json, Json]): Payload {
  const json = beside({ rows: arrayOf([other, record]) });
  const prefixes = ['rows.1', 'rows.#', 'rows', 'rows.0', '$.rows[1]', '$.rows[-1]'];
  return { json, records: [record], root: 'rows.1', rootWord: undefined, prefixes };
}

/** Records next to scalars, and in arrays in arrays. */
function amongScalars([some, more, scalars]: [
  readonly Json[],
  readonly Json[],
  readonly Json[],
]): fc.Arbitrary<Payload> {
  const records = [...some, ...more];
  const prefixes = ['result', 'result.#.#', 'json.#', '1', '#.#'];
  return fc
    .shuffledSubarray([...some, arrayOf([...more, ...scalars]), ...scalars], { minLength: 1 })
    .map((entries) => ({ json: arrayOf(entries), records, root: undefined, rootWord: 'result', prefixes }));
}

/** A root without any object. */
function ofScalars(scalars: readonly Json[]): Payload {
  const json = beside({ r: arrayOf([...scalars, arrayOf(scalars)]) });
  return { json, records: [], root: 'r', rootWord: undefined, prefixes: ['r', 'r.#', 'r.0', 'json.r.#.#'] };
}

/** Roots that are not there, are scalars, have no records, or are inside one another. */
function withDoubtfulRoot(records: readonly Json[]): fc.Arbitrary<Payload> {
  const json = beside({
    data: arrayOf(records),
    nothing: NULL,
    none: arrayOf([]),
    nested: beside({ nested: arrayOf(records) }),
  });
  return fc
    .constantFrom(...DOUBTFUL_ROOTS)
    .map((root) => ({ json, records, root, rootWord: 'result', prefixes: [] }));
}

/** An object with members that look like a record's, so that what touches them is seen. */
function beside(members: Readonly<Record<string, Json>>): Json {
  return objectOf(Object.entries({ ...outside, ...members }).map(([name, value]) => memberOf(name, value)));
}
