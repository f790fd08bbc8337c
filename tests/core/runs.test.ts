import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreExplain } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 300);
const LIMITS = { maxExplained: 10_000, maxBytes: 10_000_000 };

const separator = fc.constantFrom(',', ',', ',', ',', ' ,', ', ', ' \n, ');

/** Arrays of mostly the same value many times, which may be in each other. */
function listsOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const repeated = fc
    .tuple(value, separator, fc.constantFrom(0, 1, 40), separator)
    .map(([one, comma, count, last]) => `${`${one}${comma}`.repeat(count)}${one}${last}`);
  return fc.letrec<{ elements: string; element: string }>((tie) => ({
    elements: fc
      .array(
        fc.oneof(
          { maxDepth: 3, depthSize: 'small' },
          { weight: 8, arbitrary: repeated },
          { weight: 2, arbitrary: fc.tuple(tie('element'), separator).map((parts) => parts.join('')) },
        ),
        { maxLength: 6 },
      )
      .map((all) => `[${all.join('')}1]`),
    element: fc.oneof(
      tie('elements'),
      tie('elements').map((inner) => `{"a":${inner}}`),
      fc.constant('[]'),
    ),
  })).elements;
}

function payloadsOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const lists = listsOf(value);
  return fc.oneof(
    lists,
    lists.map((list) => `{"c":1,"a":${list}}`),
    fc.tuple(lists, lists).map(([one, other]) => `[{"c":1,"a":${one}},{"c":2,"a":${other}}]`),
  );
}

function accessTo(columns: readonly string[], actions: readonly string[]): fc.Arbitrary<object> {
  return fc.tuple(fc.constantFrom(...columns), fc.constantFrom(...actions)).map(([column, action]) => ({
    resourceType: 'columns',
    attributes: { column: [column] },
    actions: [{ action }],
  }));
}

const ACTIONS = ['MASK', 'null()', 'x', 'last(1)', 'empty()'];
const tree = fc.constantFrom(
  { AND: [] },
  { attribute: 'c', operator: 'EQUALS', values: ['1'] },
  { attribute: 'column', operator: 'NOT_IN', values: ['a.2'] },
  {
    AND: [
      { attribute: 'column', operator: 'IN', values: ['a', 'a.#'] },
      { attribute: 'c', operator: 'EQUALS', values: ['1'] },
    ],
  },
);
const privilege = fc.tuple(tree, fc.constantFrom(...ACTIONS)).map(([condition, action]) => ({
  resourceType: 'columns',
  actions: [{ action, 'asset-attributes-filter': condition }],
}));

test.each([
  {
    what: 'scalars',
    value: fc.constantFrom('1', '-1.50e3', 'true', 'false', '"x"', '"\\n]"', '""', 'null', '{}'),
    access: accessTo(['a', 'a.#', '#', '#.a', '*', '$..a', 'a.3'], ACTIONS),
    most: 2,
  },
  {
    what: 'empty records',
    value: fc.constantFrom('{}', '{}', '{}', '{ }', '1', '{"b":1}'),
    access: accessTo(['b', 'b', '#.b', 'b.c', '*'], ['x', 'x', 'x', 'a text that is long', 'MASK']),
    most: 0,
  },
])(
  '$what that follow one another are changed as the reference changes each, and counted as with an explanation',
  async ({ value, access, most }) => {
    await fc.assert(
      fc.asyncProperty(
        payloadsOf(value),
        fc.array(access, { maxLength: 2 }),
        fc.array(privilege, { maxLength: most }),
        fc.constantFrom('***', '', 'a mask string that is long'),
        async (jsonText, entries, allowed, maskString) => {
          const problem = {
            config: { attrName: 'column', object: 'table', maskString },
            parameters: {},
            vendor: {},
            jsonText,
            decision: { response: [{ access: entries, privileges: { allowed, denied: [] } }] },
          };
          const { counts, ...answer } = await coreExplain(problem, undefined);
          expect(comparable(answer)).toEqual(comparable(referenceEnforce(problem)));
          expect(counts).toEqual((await coreExplain(problem, LIMITS)).counts);
        },
      ),
      { numRuns: RUNS },
    );
  },
  300_000,
);

test('scalars that follow one another are masked in those records alone in which the condition holds', async () => {
  const list = `[${'1,'.repeat(40)}1]`;
  const condition = {
    AND: [
      { attribute: 'column', operator: 'IN', values: ['a.#'] },
      { attribute: 'c', operator: 'EQUALS', values: ['1'] },
    ],
  };
  const allowed = [
    { resourceType: 'columns', actions: [{ action: 'null()', 'asset-attributes-filter': condition }] },
  ];
  const problem = {
    config: { attrName: 'column', object: 'table' },
    parameters: {},
    vendor: {},
    jsonText: `[{"c":2,"a":${list}},{"c":1,"a":${list}},{"c":2,"a":${list}}]`,
    decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
  };
  const { status, ...answer } = await coreExplain(problem, undefined);
  const masked = list.replaceAll('1', 'null');
  expect(status).toBe(200);
  expect(answer).toMatchObject({
    text: `[{"c":2,"a":${list}},{"c":1,"a":${masked}},{"c":2,"a":${list}}]`,
  });
});
