import { afterEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing } from '../../support/caller.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

const path = fc
  .array(fc.constantFrom('a', 'b', 'id', '#', '*', '?', '0', '__proto__', 'json', 'result'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join('.'));
/** Mostly paths, and what only looks like one. */
const anyPath = fc.oneof(
  { weight: 6, arbitrary: path },
  {
    weight: 1,
    arbitrary: fc.constantFrom('$', '$..a', '$.a[', '$[?(@.a)]', 'a..b', '', '\\', '😀', '\ud800'),
  },
);

/** Mostly what belongs there, and now and then anything at all. */
function mostly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: fc.jsonValue() });
}

const name = fc.constantFrom('a', 'b', 'id', 'result', 'json', '__proto__', '0', '#', '');
const payload = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('x', '', 'US', '2026-01-01', 1, -0, 1e21, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
}));
const json = fc.oneof(fc.array(payload.value, { maxLength: 3 }), payload.object);

const parameters = fc.record(
  {
    root: mostly(fc.constantFrom('a', '#', 'json', '$', 'result')),
    calculationType: mostly(fc.constantFrom('resolution', 'context')),
    filter: mostly(fc.boolean()),
    maskString: mostly(fc.string()),
    assetId: mostly(anyPath),
    protectedObject: mostly(fc.constant('customer')),
  },
  { requiredKeys: [] },
);

const OPERATORS = [
  'EQUALS',
  'NOT_EQUALS',
  'IN',
  'NOT_IN',
  'LESS',
  'GREATER_EQUALS',
  'CONTAINS',
  'STARTS_WITH',
];
const TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'DATE', 'DATETIME'];
const condition = fc.letrec<{ condition: unknown }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      attribute: mostly(fc.oneof(anyPath, fc.constantFrom('column', 'table'))),
      type: mostly(fc.constantFrom(...TYPES)),
      operator: mostly(fc.constantFrom(...OPERATORS)),
      values: mostly(
        fc.array(fc.constantFrom('x', '1', 'true', '2026-01-01', 'a'), { minLength: 1, maxLength: 2 }),
      ),
    }),
    fc.record({ AND: mostly(fc.array(tie('condition'), { maxLength: 3 })) }),
    fc.record({ OR: mostly(fc.array(tie('condition'), { maxLength: 3 })) }),
  ),
})).condition;

const ACTIONS = [
  'MASK',
  'FILTER',
  'last4',
  'edges(1)',
  'middle(2, x)',
  '1::MASK',
  '99999999999999999999::first(0)',
  'text',
  ' ',
];
const entries = fc.array(
  fc.record({
    path: mostly(anyPath),
    resourceType: mostly(fc.constantFrom('columns', 'customer')),
    attributes: mostly(fc.record({ column: anyPath, table: anyPath }, { requiredKeys: [] })),
    actions: mostly(
      fc.array(
        fc.record(
          { action: mostly(fc.constantFrom(...ACTIONS)), 'asset-attributes-filter': condition },
          { requiredKeys: ['action'] },
        ),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    policies: mostly(fc.constantFrom([], [{ name: 'P', metadata: { DRY_RUN: 'id' } }])),
  }),
  { maxLength: 3 },
);
const decision = mostly(
  fc.record({
    response: mostly(
      fc.tuple(fc.record({ access: entries, privileges: fc.record({ allowed: entries, denied: entries }) })),
    ),
  }),
);

test('whatever is asked, and whatever is decided, there is a payload or a reason, and never a fault', async () => {
  const { port, pdp } = await startEnforcement(
    undefined,
    { attrName: 'column', object: 'table', rootWord: 'result' },
    'error',
  );
  const answered = new Set<number>();
  await fc.assert(
    fc.asyncProperty(mostly(parameters), mostly(json), decision, async (asked, protectedJson, decided) => {
      pdp.answer({ body: JSON.stringify(decided) });
      const body = enforcing(JSON.stringify(protectedJson), { parameters: asked, vendor: {} });
      const { status, text } = await call(port, { body });
      answered.add(status);
      expect([200, 400, 422, 502]).toContain(status);
      expect(typeof JSON.parse(text)).toBe('object');
    }),
    { numRuns: 800 },
  );
  expect(answered).toEqual(new Set([200, 400, 422, 502]));
});
