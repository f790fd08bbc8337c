import { describe, expect, test } from '@jest/globals';
import { readDecision } from '../../../../src/pdp/decisions/resolution/decision.ts';
import { SETTINGS } from './reading.ts';

function numbered(count: number, name: string): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${name}${i}`);
}

const actions = (count: number) => numbered(count, 'a').map((action) => ({ action }));
const policies = (count: number) => numbered(count, 'p').map((name) => ({ name }));

/** Entries in which two lists are combined, each of so many elements. */
const PRODUCTS: readonly [what: string, section: (first: number, second: number) => object][] = [
  [
    'properties below prefixes',
    (first, second) =>
      accessOf({ attributes: { column: numbered(first, 'c'), table: numbered(second, 't') } }),
  ],
  [
    'properties below prefixes',
    (first, second) => accessOf({ path: numbered(first, 'c'), attributes: { table: numbered(second, 't') } }),
  ],
  [
    'actions of properties',
    (first, second) => accessOf({ attributes: { column: numbered(first, 'c') }, actions: actions(second) }),
  ],
  [
    'policies of actions',
    (first, second) =>
      accessOf({ attributes: { column: ['c'] }, policies: policies(first), actions: actions(second) }),
  ],
  [
    'policies of actions',
    (first, second) => ({
      privileges: {
        denied: [{ resourceType: 'columns', accessPolicies: policies(first), actions: actions(second) }],
      },
    }),
  ],
];

function accessOf(entry: object): object {
  return { access: [{ resourceType: 'columns', ...entry }] };
}

function read(...sections: readonly object[]): string {
  try {
    readDecision(Buffer.from(JSON.stringify({ response: sections })), SETTINGS);
    return 'understood';
  } catch (error) {
    return Error.isError(error) ? error.message : '';
  }
}

function entryOf(column: readonly string[], table: readonly string[]): object {
  return accessOf({ attributes: { column, table } });
}

/** A path of so many names. */
function deep(names: number): string {
  return Array.from({ length: names }, () => 'a').join('.');
}

test('a small decision that asks for properties below a deep prefix, or for deep ones, is refused', () => {
  const refusal = /not understood: more than \d+ properties below prefixes at \/response\//u;
  expect(read(entryOf(numbered(5000, 'c'), [deep(500)]))).toMatch(refusal);
  expect(read(entryOf(numbered(100, `${deep(400)}.c`), numbered(100, 't')))).toMatch(refusal);
  expect(read(entryOf(numbered(50_000, 'c'), [deep(100)]))).toBe('understood');
  expect(read(entryOf(numbered(100, `${deep(6)}.c`), numbered(100, 't')))).toBe('understood');
});

describe.each(PRODUCTS)('a small decision that asks for very many %s', (what, section) => {
  test('is refused, also in many entries, and also if only one of the lists is long', () => {
    const refusal = new RegExp(String.raw`not understood: more than \d+ ${what} at /response/`, 'u');
    expect(read(section(1000, 1000))).toMatch(refusal);
    expect(read(section(40, 10_000))).toMatch(refusal);
    expect(read(section(10_000, 40))).toMatch(refusal);
    expect(read(...Array.from({ length: 100 }, () => section(40, 40)))).toMatch(refusal);
  });

  test('is understood if they are as many as its size allows', () => {
    expect(read(section(100, 100))).toBe('understood');
    expect(read(...Array.from({ length: 1000 }, () => section(5, 5)))).toBe('understood');
  });
});
