import { describe, expect, test } from '@jest/globals';
import { Plan, TooManyNamesError, type SharedPath } from '../../src/core/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { SETTINGS } from '../../bench/hostile/enforcing.ts';
import { coreEnforce } from './core.ts';

function leaf(attribute: string, operator: string, values: readonly string[]) {
  return { attribute, operator, values };
}

function names(count: number, prefix: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

interface Kind {
  readonly action: string;
  readonly tables: number;
  readonly columns: number;
  /** Whether the condition also excludes a name, so that it is decided anew for each property. */
  readonly isOpen?: boolean;
}

/** A rule about other properties than those with another number. */
function rule(number: number, { action, tables, columns, isOpen = false }: Kind) {
  const AND = [
    leaf('table', 'IN', names(tables, `t${number}_`)),
    leaf('column', 'IN', names(columns, `c${number}_`)),
    ...(isOpen ? [leaf('column', 'NOT_EQUALS', ['z'])] : []),
  ];
  return { resourceType: 'columns', actions: [{ action, 'asset-attributes-filter': { AND } }] };
}

function rules(count: number, kind: Kind) {
  return Array.from({ length: count }, (_, number) => rule(number, kind));
}

function long(name: string): string {
  return Array.from({ length: 512 }, () => name).join('.');
}

async function statusOf(allowed: readonly object[]): Promise<number> {
  const { status } = await coreEnforce({
    config: { attrName: 'column', object: 'table', filter: false },
    parameters: {},
    vendor: { entityId: 'jane' },
    jsonText: '[{"ssn":1}]',
    decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
  });
  return status;
}

const LITERAL = rule(1000, { action: 'x', tables: 1, columns: 1 });

test.each([
  ['literals below many prefixes', rules(2, { action: 'x', tables: 40, columns: 40 }), 200],
  ['literals below too many prefixes', rules(3, { action: 'x', tables: 60, columns: 60 }), 502],
  ['the same if a name is excluded', rules(3, { action: 'x', tables: 60, columns: 60, isOpen: true }), 502],
  ['few names each, in many conditions', rules(2000, { action: 'x', tables: 8, columns: 8 }), 502],
  ['a name and a prefix each, in many conditions', rules(2000, { action: 'x', tables: 1, columns: 1 }), 200],
  ['too many in one condition', rules(1, { action: 'x', tables: 64, columns: 65 }), 502],
  ['masks, which create nothing', rules(30, { action: 'MASK', tables: 60, columns: 60, isOpen: true }), 200],
  [
    'masks that come before literals',
    [...rules(18, { action: 'MASK', tables: 60, columns: 60, isOpen: true }), LITERAL],
    200,
  ],
  [
    'too many masks that come before literals',
    [...rules(30, { action: 'MASK', tables: 60, columns: 60, isOpen: true }), LITERAL],
    502,
  ],
])('conditions that combine names and prefixes: %s', async (_name, allowed, status) => {
  expect(await statusOf(allowed)).toBe(status);
});

test('a value is set below a long prefix and a long name', async () => {
  const AND = [leaf('table', 'IN', [long('t'), 'u']), leaf('column', 'IN', [long('c'), 'd'])];
  const allowed = [
    { resourceType: 'columns', actions: [{ action: 'x', 'asset-attributes-filter': { AND } }] },
  ];
  expect(await statusOf(allowed)).toBe(200);
});

describe('a decision with the paths of one before', () => {
  const shared = new Map<string, SharedPath>();
  const masks = rules(200, { action: 'MASK', tables: 8, columns: 8 });
  const literals = rules(200, { action: 'x', tables: 8, columns: 8 });

  function planOf(allowed: readonly object[]): Plan {
    const answer = { response: [{ access: [], privileges: { allowed: [...allowed, LITERAL], denied: [] } }] };
    const settings = { ...SETTINGS, protectedObject: undefined };
    const { rules: read } = decisionFrom(Buffer.from(JSON.stringify(answer)), settings);
    return new Plan(read, { isJsonNamed: true, rootWord: undefined }, SETTINGS, shared);
  }

  /** A plan of so many literals, and masks otherwise. */
  function withLiterals(count: number): Plan {
    return planOf([...literals.slice(0, count), ...masks.slice(count)]);
  }

  test('may not set more values than another', () => {
    const before = planOf(masks).shared;
    expect(() => planOf(literals)).toThrow(TooManyNamesError);
    expect(planOf(masks).shared).toBe(before);
  });

  test('may not do so a few rules at a time', () => {
    // Each condition combines 48 properties more than it has names and prefixes.
    const most = Math.floor(8192 / 48);
    for (let count = 10; count <= most; count += 10) expect(withLiterals(count).shared).toBeDefined();
    expect(() => withLiterals(most + 1)).toThrow(TooManyNamesError);
    expect(withLiterals(most).shared).toBe(shared.values().next().value);
  });
});
