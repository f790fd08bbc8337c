import * as fc from 'fast-check';
import { arrayOf, memberOf, NULL, numberOf, objectOf, stringOf, type Json } from '../model.ts';
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

/** A payload, where its records are, and how a decision may name that place. */
export interface Payload {
  readonly json: Json;
  readonly records: readonly Json[];
  readonly root: string | undefined;
  readonly rootWord: string | undefined;
  /** What a property path of a decision may begin with to be relative to the payload. */
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

const DATES = ['2024-05-01', '2020-01-01T10:00:00Z', '2020-01-01 11:00:00+01:00', '2024-02-30', 'soon'];

const address = object({ city: anyString, zip: mostly(anyNumber, anyEmpty) });
const customer = object({ name: anyString, ssn: mostly(anyString, anyScalar), age: anyNumber, address });
const account = object({ iban: anyString, balance: anyNumber, holders: array(object({ ssn: anyString })) });

/** The fields of a record: what a service would send, with odd values in between. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  status: mostly(text('open', 'closed'), anyEmpty),
  country: mostly(text('US', 'DE', 'FR'), anyValue),
  n: mostly(
    fc.integer({ min: 0, max: 20 }).map((n) => numberOf(String(n))),
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
  fc.constantFrom('7', '8', '1.0').map(numberOf),
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
const outside = { ssn: stringOf('outside'), region: NULL, tags: arrayOf([stringOf('outside')]) };

/** A payload in one of the shapes that services send, with its records where a root or a root word finds them. */
export const anyPayload: fc.Arbitrary<Payload> = fc.oneof(
  { weight: 4, arbitrary: anyRecords.chain(bareArrayOf) },
  { weight: 2, arbitrary: anyRecord.map(bareObject) },
  { weight: 4, arbitrary: anyRecords.map(underRootWord) },
  { weight: 1, arbitrary: anyRecord.map(oneUnderRootWord) },
  {
    weight: 3,
    arbitrary: fc.tuple(anyRecords, fc.constantFrom('data.rows', 'json.data.rows')).map(underRoot),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyRecords, anyRecords, fc.constantFrom('orders.#.lines', 'orders.lines'))
      .map(underMany),
  },
  { weight: 1, arbitrary: fc.tuple(anyRecord, anyRecord).map(underIndex) },
  {
    weight: 2,
    arbitrary: fc.tuple(anyRecords, anyRecords, fc.array(anyScalar, { maxLength: 2 })).chain(amongStrays),
  },
  { weight: 1, arbitrary: anyRecords.chain(withDoubtfulRoot) },
);

function bareArrayOf(records: readonly Json[]): fc.Arbitrary<Payload> {
  const json = arrayOf(records);
  return fc.constantFrom(
    { json, records, root: undefined, rootWord: undefined, prefixes: [] },
    { json, records, root: undefined, rootWord: 'result', prefixes: ['result.#', 'result'] },
  );
}

function bareObject(record: Json): Payload {
  return { json: record, records: [record], root: undefined, rootWord: 'result', prefixes: ['result'] };
}

function underRootWord(records: readonly Json[]): Payload {
  const json = beside({ result: arrayOf(records) });
  return { json, records, root: undefined, rootWord: 'result', prefixes: ['result.#', 'result'] };
}

function oneUnderRootWord(record: Json): Payload {
  const json = beside({ result: record });
  return { json, records: [record], root: undefined, rootWord: 'result', prefixes: ['result'] };
}

function underRoot([records, root]: [readonly Json[], string]): Payload {
  const json = beside({ data: beside({ rows: arrayOf(records) }) });
  return { json, records, root, rootWord: 'result', prefixes: ['data.rows.#', 'data.rows'] };
}

function underMany([first, second, root]: [readonly Json[], readonly Json[], string]): Payload {
  const orders = [beside({ lines: arrayOf(first) }), beside({ lines: arrayOf(second) })];
  const records = [...first, ...second];
  const json = beside({ orders: arrayOf(orders) });
  return { json, records, root, rootWord: undefined, prefixes: [`${root}.#`, root] };
}

function underIndex([other, record]: [Json, Json]): Payload {
  const json = beside({ rows: arrayOf([other, record]) });
  return { json, records: [record], root: 'rows.1', rootWord: undefined, prefixes: ['rows.1'] };
}

/** Records beside what is none, and in arrays in arrays. */
function amongStrays([some, more, strays]: [
  readonly Json[],
  readonly Json[],
  readonly Json[],
]): fc.Arbitrary<Payload> {
  const records = [...some, ...more];
  return fc
    .shuffledSubarray([...some, arrayOf([...more, ...strays]), ...strays], { minLength: 1 })
    .map((entries) => {
      return { json: arrayOf(entries), records, root: undefined, rootWord: 'result', prefixes: ['result'] };
    });
}

/** Roots that are not there, are scalars, have no records, or lie inside one another. */
function withDoubtfulRoot(records: readonly Json[]): fc.Arbitrary<Payload> {
  const json = beside({
    data: arrayOf(records),
    nothing: NULL,
    none: arrayOf([]),
    nested: beside({ nested: arrayOf(records) }),
  });
  const roots = [
    'nope',
    'data.nope',
    'ssn',
    'tags.#',
    'nothing',
    'none',
    'none.#.inner',
    '$..nested',
    '$.data',
    '*ata',
    'data.9',
  ];
  return fc.constantFrom(...roots).map((root) => ({ json, records, root, rootWord: 'result', prefixes: [] }));
}

/** An object with members that look like a record's, so that what touches them is seen. */
function beside(members: Readonly<Record<string, Json>>): Json {
  return objectOf(Object.entries({ ...outside, ...members }).map(([name, value]) => memberOf(name, value)));
}
