import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreExplain } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 500);
const LIMITS = { maxExplained: 10_000, maxBytes: 10_000_000 };

const value = fc.constantFrom('1', '-1.50e3', 'true', 'false', '"x"', '"\\n]"', '""', 'null', '{}', '{ }');
const separator = fc.constantFrom(',', ',', ',', ',', ' ,', ', ', ' \n, ');
const repeated = fc
  .tuple(value, separator, fc.constantFrom(1, 2, 40))
  .map(([one, comma, count]) => `${one}${comma}`.repeat(count));
/** Mostly the same value many times, in arrays that may be in each other. */
const { elements } = fc.letrec<{ elements: string; element: string }>((tie) => ({
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
    fc.constant('{}'),
    fc.constant('[]'),
  ),
}));
const payload = fc.oneof(
  elements,
  elements.map((list) => `{"c":1,"a":${list}}`),
  fc.tuple(elements, elements).map(([one, other]) => `[{"c":1,"a":${one}},{"c":2,"a":${other}}]`),
);

const action = fc.constantFrom('MASK', 'null()', 'x', 'x', 'last(1)', 'empty()');
const access = fc
  .tuple(fc.constantFrom('a', 'a.#', '#', '#.a', '*', '$..a', 'a.3', 'b.c', '#.#.b'), action)
  .map(([column, text]) => ({
    resourceType: 'columns',
    attributes: { column: [column] },
    actions: [{ action: text }],
  }));
const tree = fc.constantFrom(
  { AND: [] },
  { attribute: 'c', operator: 'EQUALS', values: ['1'] },
  { attribute: 'column', operator: 'NOT_IN', values: ['a.2'] },
);
const privilege = fc.tuple(tree, action).map(([condition, text]) => ({
  resourceType: 'columns',
  actions: [{ action: text, 'asset-attributes-filter': condition }],
}));

test('neighbours in an array are changed as the reference changes each, and counted as with an explanation', async () => {
  await fc.assert(
    fc.asyncProperty(
      payload,
      fc.array(access, { maxLength: 2 }),
      fc.array(privilege, { maxLength: 2 }),
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
}, 300_000);
