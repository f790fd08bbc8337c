import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 300);

const NAMES = [
  'a',
  'b1',
  '1',
  '0',
  '05',
  '12',
  '-3',
  '1e1',
  '5e-1',
  '#',
  'json',
  'rows',
  '70',
  'ab',
] as const;
/** Each alone, and as the fraction of others. */
const EXPONENTS = [
  '5e-5',
  '4e-1',
  '-5e-1',
  '05E1',
  '12e+0',
  '125e-2',
  '99e-66',
  '99e-67',
  '5e99999999999999999',
  '1.25e1',
  '12.75',
] as const;
const INSTANTS = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00.5+01:00',
  '2025-12-31T23:59',
  '2026-01-02T00:00:01',
  '2026-01-01T24:00:00',
  '+12026-01-01T00:00:00',
  '2025-12-31T23:59:59',
  '2031-05-06',
  '45-00:01',
  '12:34',
] as const;
const SECONDS = ['2026-01-01T00:00:00', '2026-01-01T23:59:60', '2026-01-01', '5Z', '5+01:00'] as const;
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NAMES, ...NAMES, ...SECONDS) },
  fc.constantFrom(...EXPONENTS),
  fc.constantFrom(...INSTANTS),
);

/** A name with space before its colon is read anew each time that it is met. */
const colon = fc.constantFrom(':', ' :');

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 3, arbitrary: fc.constantFrom('1', '"x"', 'null', '{}', '[]') },
    { weight: 2, arbitrary: tie('object') },
    { weight: 1, arbitrary: tie('array') },
  ),
  object: fc
    .uniqueArray(fc.tuple(name, colon, tie('value')), { maxLength: 3, selector: ([key]) => key })
    .map((members) => `{${members.map(([key, by, of]) => `${JSON.stringify(key)}${by}${of}`).join(',')}}`),
  array: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
}));

/** Arrays that are short, or long with few kinds of elements, most of which are like the others. */
const elements = fc.oneof(
  fc.array(value, { minLength: 1, maxLength: 12 }),
  fc
    .tuple(fc.array(value, { minLength: 1, maxLength: 4 }), fc.integer({ min: 60, max: 140 }))
    .map(([kinds, length]) => Array.from({ length }, (_, index) => kinds[(index * 7) % kinds.length] ?? '1')),
);
const payload = fc
  .tuple(elements, fc.constantFrom('', 'rows', '1', 'other'))
  .map(([all, key]) => (key === '' ? `[${all.join(',')}]` : `{"${key}":[${all.join(',')}],"a":1}`));

const numbers = fc.constantFrom(
  '1',
  '0',
  '-3',
  '12.5',
  '0.05',
  '70.12',
  '1e1',
  '102',
  '9',
  '64.0',
  '7.00099e0',
  '0.7000599e1',
);
const instants = fc.constantFrom('2026-01-01T00:00:00.5', '2026-01-01', '2026-01-02', '2025-12-31T23:00:00Z');
const texts = fc.constantFrom(
  '1',
  '7',
  'a',
  '.1',
  '1.',
  '0.a',
  '6.b1',
  '#.1',
  'rows.1',
  'rows.#.a',
  '12',
  '70.ab',
  'json.1',
  '5.0.5',
  '99',
);
const ORDERS = ['LESS', 'LESS_EQUALS', 'GREATER', 'GREATER_EQUALS'] as const;
const PARTS = ['STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'NOT_CONTAINS'] as const;
const paths = fc.constantFrom(
  'a',
  '*',
  '#.a',
  '1.a',
  'rows.70.a',
  '$[60:130:7].a',
  '$[-3:]..a',
  '$[1,65,66]',
  '*1',
  '?',
  'rows.*',
  '$[*,70].b1',
);

function comparing(type: string, operators: readonly string[], of: fc.Arbitrary<string>) {
  return fc.record({
    attribute: fc.constantFrom('column', 'column', 'table'),
    type: fc.constant(type),
    operator: fc.constantFrom(...operators),
    values: fc.array(of, { minLength: 1, maxLength: 2 }),
  });
}

const leaf = fc.oneof(
  comparing('NUMBER', ORDERS, numbers),
  comparing('DATETIME', ORDERS, instants),
  comparing('STRING', [...PARTS, ...ORDERS], texts),
  comparing('STRING', ['IN', 'NOT_IN'], paths),
);
const tree = fc.oneof(
  { weight: 3, arbitrary: leaf },
  fc.array(leaf, { minLength: 2, maxLength: 3 }).map((of) => ({ AND: of })),
  fc.array(leaf, { minLength: 2, maxLength: 2 }).map((of) => ({ OR: of })),
);
const privilege = tree.map((condition) => ({
  resourceType: 'columns',
  actions: [{ action: 'MASK', 'asset-attributes-filter': condition }],
}));
const entry = fc
  .oneof(
    fc.tuple(paths, fc.constant('last(1)')),
    fc.tuple(fc.constantFrom('c', 'a.b1', '1.c'), fc.constant('a literal')),
  )
  .map(([column, action]) => ({ resourceType: 'columns', attributes: { column }, actions: [{ action }] }));

test('conditions on names hold for what the reference says, also in long arrays', async () => {
  await fc.assert(
    fc.asyncProperty(
      payload,
      fc.constantFrom({}, {}, { root: 'rows' }, { root: '*' }),
      fc.constantFrom(undefined, 'rows', '1'),
      fc.array(privilege, { minLength: 1, maxLength: 3 }),
      fc.array(entry, { maxLength: 1 }),
      async (jsonText, parameters, rootWord, allowed, access) => {
        const problem = {
          config: { attrName: 'column', object: 'table', filter: false, rootWord },
          parameters,
          vendor: {},
          jsonText,
          decision: { response: [{ access, privileges: { allowed, denied: [] } }] },
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});

const longNumber = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom('1', '7'), fc.integer({ min: 62, max: 68 }))
  .map(([sign, first, zeros]) => sign + first.padEnd(zeros + 1, '0'));
const fraction = fc
  .tuple(fc.constantFrom('0', '5', '99'), fc.integer({ min: 60, max: 70 }))
  .map(([digits, exponent]) => `${digits}e-${exponent}`);

test('conditions on numbers whose long whole part is a name hold for what the reference says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(longNumber, { minLength: 1, maxLength: 2 }),
      fc.uniqueArray(fraction, { minLength: 2, maxLength: 8 }),
      comparing('NUMBER', ORDERS, fc.constantFrom('1', '-1', '7', '0.07', '-70')),
      async (wholes, fractions, condition) => {
        const members = fractions.map((one) => `"${one}":1`).join(',');
        const problem = {
          config: { attrName: 'column' },
          parameters: {},
          vendor: {},
          jsonText: `[${wholes.map((one) => `{"${one}":{${members}},${members}}`).join(',')}]`,
          decision: maskingBy({ ...condition, attribute: 'column' }),
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});

test('a path that begins with json is compared only with values that do', async () => {
  const jsonText = '[{"b":"1","c":"2"}]';
  const decision = maskingBy({ operator: 'NOT_CONTAINS', values: ['json.a', 'n.#'] });
  const answer = await coreEnforce({
    config: { attrName: 'column' },
    parameters: {},
    vendor: {},
    jsonText,
    decision,
  });
  expect(answer).toEqual({ status: 200, text: '[{"b":"***","c":"***"}]', dryRun: [] });
});

function maskingBy(asked: object): object {
  const condition = { attribute: 'column', type: 'STRING', ...asked };
  const actions = [{ action: 'MASK', 'asset-attributes-filter': condition }];
  return {
    response: [{ access: [], privileges: { allowed: [{ resourceType: 'columns', actions }], denied: [] } }],
  };
}
