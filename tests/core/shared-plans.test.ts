import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Plans } from '../../src/enforcement/index.ts';
import type { EnforcementProblem } from '../reference/enforce.ts';
import { coreEnforce } from './core.ts';

/** Few paths, so that decisions often have the same ones: the shortest, and some that look like others. */
const PATHS = [
  '$',
  '#',
  '*',
  'json',
  'a',
  'b',
  'a.b',
  'a|b',
  '1.a',
  '$[*]',
  '$..a',
  "$['a','b']",
  '$[0]',
  '$[0:]',
];
const PAYLOADS = [
  '{"a":"x"}',
  '[{"a":{"b":"x"},"b":["y"]},{"a|b":"z"}]',
  '["x",{"1":{"a":"y"}}]',
  '{"result":{"b":"x"}}',
  '[{"a":"x","b":"x"},{"a":"y","b":"y"},{"a":"z","b":"z"},{"a":"x","b":"y"}]',
  // So many records alike that they have a usual shape.
  `[${Array.from('xyzxyzxy', (one) => `{"a":"${one}","b":"y","c":{"a":1}}`).join(',')}]`,
];

const column = fc.oneof(fc.constantFrom(...PATHS), fc.constantFrom('a', 'a', 'b'));
const action = fc.constantFrom('MASK', 'MASK', 'L', 'remove()', '2::MASK', '1::K');
const entry = fc.record({
  path: fc.constant('p'),
  resourceType: fc.constant('columns'),
  attributes: fc.record({ column: fc.array(column, { minLength: 1, maxLength: 2 }) }),
  actions: action.map((one) => [{ action: one }]),
});
const named = column.map((name) => ({ attribute: 'column', operator: 'EQUALS', values: [name] }));
const onRecord = fc
  .record({ attribute: fc.constantFrom('b', '1.a'), value: fc.constantFrom('x', 'y') })
  .map(({ attribute, value }) => ({ attribute, operator: 'EQUALS', values: [value] }));
/** So many leaves that they are asked once for all records that are alike. */
const many = fc
  .array(onRecord, { minLength: 1, maxLength: 3 })
  .map((some) => ({ OR: Array.from({ length: 20 }, (_, index) => some[index % some.length]) }));
const tree = fc.oneof(
  named,
  onRecord,
  fc.tuple(named, onRecord).map((parts) => ({ AND: parts })),
  fc.tuple(named, many).map((parts) => ({ AND: parts })),
  fc.array(named, { maxLength: 3 }).map((parts) => ({ OR: parts })),
  fc
    .tuple(fc.array(named, { minLength: 1, maxLength: 3 }), onRecord)
    .map(([parts, one]) => ({ AND: [{ OR: parts }, one] })),
  column.map((name) => ({ attribute: 'column', operator: 'NOT_IN', values: [name] })),
);
const privilege = fc.record({
  resourceType: fc.constant('columns'),
  actions: fc
    .record({ action, 'asset-attributes-filter': fc.option(tree, { nil: undefined }) })
    .map((one) => [one]),
});
const decision = fc.record({
  access: fc.array(entry, { maxLength: 2 }),
  privileges: fc.record({ allowed: fc.array(privilege, { maxLength: 2 }) }),
});
const problem: fc.Arbitrary<EnforcementProblem> = fc.record({
  config: fc.record({
    attrName: fc.constant('column'),
    object: fc.constant('table'),
    rootWord: fc.constantFrom(undefined, 'result'),
  }),
  parameters: fc.constantFrom({}, { root: '*' }, { root: '$' }),
  vendor: fc.constant({}),
  jsonText: fc.constantFrom(...PAYLOADS),
  decision: decision.map((one) => ({ response: [one] })),
});

const change = fc.record({
  kind: fc.constantFrom('action', 'action', 'action', 'entry', 'privilege', 'order'),
  maskString: fc.constantFrom('***', '***', '#'),
  at: fc.nat(8),
  entry,
  privilege,
});
/** Decisions of which each differs from the one before in a rule, most often only in what that does with the same property. */
const similar: fc.Arbitrary<readonly EnforcementProblem[]> = fc
  .record({
    of: problem,
    access: fc.array(entry, { minLength: 1, maxLength: 6 }),
    allowed: fc.array(privilege, { maxLength: 4 }),
    changes: fc.array(change, { maxLength: 8 }),
  })
  .map(({ of, access, allowed, changes }) => {
    const [entries, privileges] = [[...access], [...allowed]];
    return changes.map((one) => {
      const at = one.at % entries.length;
      const attributes = entries[at]?.attributes ?? { column: [] };
      if (one.kind === 'action') entries[at] = { ...one.entry, attributes };
      else if (one.kind === 'entry') entries[at] = one.entry;
      else if (one.kind === 'order') entries.unshift(...entries.splice(at));
      else privileges.splice(one.at % (privileges.length + 1), 1, one.privilege);
      return {
        ...of,
        parameters: { ...of.parameters, maskString: one.maskString },
        decision: { response: [{ access: [...entries], privileges: { allowed: [...privileges] } }] },
      };
    });
  });

async function expectSameAsAlone(problems: readonly EnforcementProblem[]): Promise<void> {
  const shared = new Plans();
  const inOrder = await Promise.all(problems.map((one) => coreEnforce(one, shared)));
  const alone = await Promise.all(problems.map((one) => coreEnforce(one, new Plans())));
  expect(inOrder).toEqual(alone);
}

test('what was decided before changes nothing, however alike the decisions are', async () => {
  const problems = fc.array(problem, { minLength: 2, maxLength: 12 });
  await fc.assert(fc.asyncProperty(problems, expectSameAsAlone), { numRuns: 300 });
});

test('what was decided before changes nothing if it differs in few rules', async () => {
  await fc.assert(fc.asyncProperty(similar, expectSameAsAlone), { numRuns: 300 });
});

test('a condition with many values is asked of each record, also in a plan that has it from another', async () => {
  const values = Array.from({ length: 20 }, (_, index) => `v${index}`);
  const closed = { OR: values.map((value) => ({ attribute: 'b', operator: 'EQUALS', values: [value] })) };
  const aboutA = { attribute: 'column', operator: 'EQUALS', values: ['a'] };
  const masked = { action: 'MASK', 'asset-attributes-filter': { AND: [aboutA, closed] } };
  const similarOnes = ['last(1)', 'last(2)', 'last(3)', 'last(1)'].map((other) => ({
    config: { attrName: 'column' },
    parameters: {},
    vendor: {},
    jsonText: '[{"a":"open","b":"none"},{"a":"secret","b":"v3"}]',
    decision: {
      response: [
        {
          access: [
            {
              path: 'c',
              resourceType: 'columns',
              attributes: { column: ['c'] },
              actions: [{ action: other }],
            },
          ],
          privileges: { allowed: [{ resourceType: 'columns', actions: [masked] }] },
        },
      ],
    },
  }));
  const shared = new Plans();
  for (const one of similarOnes)
    // oxlint-disable-next-line no-await-in-loop -- each comes after the one before
    expect(await coreEnforce(one, shared)).toMatchObject({
      text: '[{"a":"open","b":"none"},{"a":"***","b":"v3"}]',
    });
});

function is(name: string): object {
  return { attribute: 'column', operator: 'EQUALS', values: [name] };
}

function masks(one: string, filter: object): object {
  return { resourceType: 'columns', actions: [{ action: one, 'asset-attributes-filter': filter }] };
}

test('the same rules about the same paths in another order are tried in that order', async () => {
  const first = masks('none', { AND: [is('a'), { attribute: 'b', operator: 'EQUALS', values: ['x'] }] });
  const [wide, narrow] = [masks('wide', is('*')), masks('narrow', is('a'))];
  const shared = new Plans();
  const texts: string[] = [];
  // Rules are kept for the next decision once they came twice.
  const orders = Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? [wide, narrow] : [narrow, wide]));
  for (const order of orders) {
    const allowed = [first, ...order];
    const one = {
      config: { attrName: 'column' },
      parameters: {},
      vendor: {},
      jsonText: '[{"a":"v","b":"y"}]',
      decision: { response: [{ access: [], privileges: { allowed } }] },
    };
    // oxlint-disable-next-line no-await-in-loop -- each comes after the one before
    const { text } = Object(await coreEnforce(one, shared));
    texts.push(text);
  }
  expect(texts).toEqual(
    ['wide', 'narrow', 'wide', 'narrow', 'wide', 'narrow'].map((text) => `[{"a":"${text}","b":"wide"}]`),
  );
});
