import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 100);

/** Few values of each type, so that many records are alike, and some that lie between others or read as no type. */
const TEXTS = ['', 'x', 'xy', 'xyz', 'y', 'yx', 'x.y', '.', 'zx', 'X', 'true', '😀', '1', '10', '1.0', '-1'];
const NUMBERS = ['1', '1.0', '1e0', '2', '-1', '0.5', '10', '12345678901234567890', '1e400', '0'];
const DATES = ['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z', '2025-12-31', '+12026-01-01'];
const BOOLEANS = ['true', 'FALSE', 'false'];

const spelt = fc.oneof(
  fc.constantFrom(...TEXTS, ...DATES).map((text) => JSON.stringify(text)),
  fc.constantFrom(...NUMBERS, 'true', 'false', 'null', '{}', '[]', '["x",1]', '[[1],"y"]', '{"d":1}'),
  fc.constantFrom('"\\u0078"', '"\\u0031"', '{"d":"x"}', '{"d":2,"d":1}'),
  fc.constantFrom('[{"d":"x"},{"d":2}]', '[{"d":"y"},{"d":2}]', '[{"s":1},[{"s":"x"}]]', '[{"s":1,"d":"x"}]'),
  fc.constantFrom('{"d":["x",2]}', '{"d":["y",2]}', '{"d":{"s":"x"}}', '["y",null]', '[{},"x"]', '[[],[]]'),
);
const name = fc.constantFrom(
  '"s"',
  '"t"',
  '"\\u0073"',
  '"d"',
  '"a"',
  '"b"',
  '"other"',
  '"json"',
  '"1"',
  '"#"',
);
const record = fc
  .array(fc.tuple(name, spelt), { maxLength: 5 })
  .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`);
/** Most records are among a few. */
const records = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: record },
      fc.constantFrom('1', '{}', '{}', '[]', '[{"a":1}]', '{"#":"x"}', '[{"s":"x"},[{"s":"y"}]]'),
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .chain((some) => fc.array(fc.constantFrom(...some), { minLength: 1, maxLength: 24 }));

const ORDERS = ['LESS', 'LESS_EQUALS', 'GREATER', 'GREATER_EQUALS'] as const;
const EQUALITIES = ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'] as const;
const PARTS = ['CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const;

const compared = fc.oneof(
  comparison('STRING', TEXTS, [...EQUALITIES, ...PARTS, ...ORDERS]),
  comparison('NUMBER', [...NUMBERS, '3'], [...EQUALITIES, ...ORDERS, ...PARTS]),
  comparison('INTEGER', ['1', '2', '10'], [...EQUALITIES, ...ORDERS, ...PARTS]),
  comparison('DATETIME', DATES, [...EQUALITIES, ...ORDERS, ...PARTS]),
  comparison('DATE', ['2026-01-01', '2025-12-31'], [...EQUALITIES, ...ORDERS, ...PARTS]),
  comparison('BOOLEAN', BOOLEANS, [...EQUALITIES, ...PARTS]),
);
const attribute = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('s', 't') },
  fc.constantFrom(
    'd',
    'd.d',
    'd.#',
    '*',
    '$..d',
    '?',
    '?.d',
    't*',
    '*.?',
    '$..s',
    'json.mode',
    'mode',
    'json.s',
    'rows.s',
    'rows.1.s',
    'k1.s',
    's*',
    'd*.d',
    '*.d',
    '#',
    '#.s',
    'd*.#',
    '$..*',
    'd.s',
    's.d',
    'd.0',
    's.0.d',
    '$.s[*].d',
    '$..[1]',
    'd.d.s',
    '$[0,2].s',
    '$[::2].s',
    '$[-1].s',
    '$[1:].d',
    '$..[0].s',
    '$..[1].d',
    '#.#.s',
    '$.rows[::2].s',
    '$.rows[1,3].t',
    'rows.#.#.s',
  ),
);
const leaf = fc
  .tuple(attribute, compared, fc.constantFrom('ANY', 'ANY', 'ALL'))
  .map(([read, { type, operator, values }, match]) => ({ attribute: read, type, operator, values, match }));
const leaves = fc.oneof(
  { weight: 4, arbitrary: fc.array(leaf, { minLength: 1, maxLength: 3 }) },
  fc.array(leaf, { minLength: 17, maxLength: 24 }),
);
const tree = fc
  .tuple(fc.constantFrom('a', 'b', undefined), fc.boolean(), leaves)
  .map(([column, isAny, some]) => {
    const own = isAny ? { OR: some } : { AND: some };
    return column === undefined
      ? own
      : { AND: [{ attribute: 'column', operator: 'EQUALS', values: [column] }, own] };
  });
const privilege = fc
  .record({
    tree,
    action: fc.constantFrom('MASK', 'set', '2::first', 'FILTER', 'remove()'),
    isDry: fc.boolean(),
  })
  .map(({ tree: condition, action, isDry }) => ({
    resourceType: 'columns',
    actions: [{ action, 'asset-attributes-filter': condition }],
    policies: [{ name: `p-${action}`, metadata: isDry ? { DRY_RUN: 'id' } : {} }],
  }));

/** The same records as the payload, below a name, and as roots of their own. */
const placed = fc.tuple(records, fc.nat({ max: 3 })).map(([some, place]) => {
  if (place === 0) return { jsonText: `[${some.join(',')}]`, parameters: {} };
  if (place === 1)
    return { jsonText: `{"mode":"x","rows":[${some.join(',')}]}`, parameters: { root: 'rows' } };
  if (place === 2) return { jsonText: `{"mode":1,"rows":[${some.join(',')}]}`, parameters: { root: 'rows' } };
  const objects = some.filter((one) => one.startsWith('{')).concat('{}');
  const members = objects.map((one, at) => `"k${at}":${one}`);
  return { jsonText: `{"mode":"x",${members.join(',')}}`, parameters: { root: 'k*' } };
});

function comparison(type: string, values: readonly string[], operators: readonly string[]) {
  return fc.record({
    type: fc.constant(type),
    operator: fc.constantFrom(...operators),
    values: fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
  });
}

/** So many rules that records are sorted into classes; none of them masks anything. */
const NEVER = Array.from({ length: 17 }, (_rule, at) => ({
  type: 'NUMBER',
  operator: 'EQUALS',
  values: [`77${at}`],
}));
const oneOrTwo = fc.array(compared, { minLength: 1, maxLength: 2 });
const values = fc.array(
  fc.oneof(spelt, fc.constantFrom('153', '123', '923', '"a1"', '"b1"', '"2026-01-02"')),
  {
    minLength: 2,
    maxLength: 12,
  },
);
/** What lists are made of: a list is read as what is in it, and of what is inside that, paths read parts. */
const items = fc.constantFrom('"x"', '1', '{}', 'null', '[]', '["x"]', '{"d":1}', '{"d":["x",1]}', '{"e":2}');
const lists = fc.array(
  fc.oneof(
    fc.array(items, { maxLength: 2 }).map((of) => `[${of.join(',')}]`),
    fc.constantFrom('"x"', '{}', '{"d":1}', '{"d":["x"]}'),
  ),
  { minLength: 2, maxLength: 12 },
);
const ofLists = fc.record({
  type: fc.constant('STRING'),
  attribute: fc.constantFrom('s', 's', 's.d', 's.#', 's.0', 's.1.d', '$.s[*].d', '?', '*.#', '$..d', '*.*'),
  operator: fc.constantFrom('EQUALS', 'NOT_EQUALS', 'STARTS_WITH'),
  values: fc.constantFrom(['x'], ['1'], ['2'], ['0'], ['1', 'x']),
  match: fc.constantFrom('ANY', 'ALL'),
});

test('records that differ in one list are enforced as the reference enforces each', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.array(ofLists, { minLength: 1, maxLength: 2 }), async (some, comparisons) => {
      const allowed = [...NEVER, ...comparisons].map((one) => masking(one));
      const problem = {
        config: { attrName: 'column', object: 'table', filter: false },
        parameters: {},
        vendor: {},
        jsonText: `[${some.map((value) => `{"s":${value},"a":"x"}`).join(',')}]`,
        decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS * 5 },
  );
});

test('records that differ in one value are enforced as the reference enforces each', async () => {
  await fc.assert(
    fc.asyncProperty(values, oneOrTwo, async (some, comparisons) => {
      const problem = {
        config: { attrName: 'column', object: 'table', filter: false },
        parameters: {},
        vendor: {},
        jsonText: `[${some.map((value) => `{"s":${value},"a":"x"}`).join(',')}]`,
        decision: {
          response: [
            { access: [], privileges: { allowed: [...NEVER, ...comparisons].map(masking), denied: [] } },
          ],
        },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS * 5 },
  );
});

const withOneOrTwo = comparison('NUMBER', ['1', '2'], ['EQUALS', 'NOT_EQUALS', 'LESS_EQUALS']);
const VALUES = [
  '1',
  '2',
  'true',
  'null',
  '{"d":1}',
  '{"d":2}',
  '[{"d":1}]',
  '{"d2":1,"d":2}',
  '{"s":1,"s2":{"d":1}}',
];
/** Few names and values, of which many records are made; or more. */
const few = {
  names: ['d', 'd2'],
  values: ['1', '2', '{"d":1}', '{"d2":1}'],
  patterns: ['?', 'd*', '?.d', '*.d', 'd*.d', '*.d*'],
};
const more = {
  names: ['d', 's', 'd2', 's2', '#'],
  values: VALUES,
  patterns: ['*.d', 'd*.d', '$..d', '#.d', 's*', 'd.d', 'd*', '*.s*', '?', '$..s2'],
};
/** Members that only the pattern tells apart which leads to them. */
const apart = {
  names: ['d', 't'],
  values: ['1', 'true', '{"d":1}'],
  patterns: ['d*', 't*', 'd*.d', 't*.d'],
};
const equalToOne = fc.constantFrom(
  { type: 'NUMBER', operator: 'EQUALS', values: ['1'] },
  { type: 'BOOLEAN', operator: 'EQUALS', values: ['true'] },
);
const inPatterns = fc.constantFrom(few, more, apart).chain(({ names, values: some, patterns }) => {
  const member = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...some));
  const members = fc.array(member, { maxLength: 3 });
  const asked = fc.tuple(fc.constantFrom(...patterns), fc.oneof(compared, withOneOrTwo, equalToOne));
  return fc.tuple(
    fc.array(
      members.map((all) => all.map(([key, value]) => `"${key}":${value},`).join('')),
      { minLength: 2, maxLength: 16 },
    ),
    fc.array(asked, { minLength: 1, maxLength: patterns === apart.patterns ? 6 : 3 }),
  );
});

test('records that are alike but for what patterns read are enforced as the reference enforces each', async () => {
  await fc.assert(
    fc.asyncProperty(inPatterns, async ([some, patterns]) => {
      const own = patterns.map(([read, one]) => masking({ ...one, attribute: read }));
      const problem = {
        config: { attrName: 'column', object: 'table', filter: false },
        parameters: {},
        vendor: {},
        jsonText: `[${some.map((members) => `{${members}"a":"x"}`).join(',')}]`,
        decision: {
          response: [{ access: [], privileges: { allowed: [...NEVER.map(masking), ...own], denied: [] } }],
        },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS * 2 },
  );
});

/** Masks `a` of the records of which the comparison holds for `s`. */
function masking(one: object): object {
  const ofProperty = { attribute: 'column', operator: 'EQUALS', values: ['a'] };
  const filter = { AND: [ofProperty, { attribute: 's', ...one }] };
  return { resourceType: 'columns', actions: [{ action: 'MASK', 'asset-attributes-filter': filter }] };
}

test('records that are alike in what many conditions read are enforced as the reference enforces each', async () => {
  await fc.assert(
    fc.asyncProperty(
      placed,
      fc.array(privilege, { minLength: 17, maxLength: 60 }),
      fc.array(privilege, { maxLength: 20 }),
      fc.boolean(),
      async ({ jsonText, parameters }, allowed, denied, filter) => {
        const problem = {
          config: { attrName: 'column', object: 'table', filter, filterDefault: 'allow' as const },
          parameters,
          vendor: { entityId: 'jane' },
          jsonText,
          decision: { response: [{ access: [], privileges: { allowed, denied } }] },
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});

test('records are asked anew after more texts were met than are kept, also by one that has too many parts', async () => {
  const own = [
    { attribute: 'a', operator: 'EQUALS', values: ['y'] },
    { attribute: 'b*', operator: 'EQUALS', values: ['secret'] },
  ];
  const common = Array.from({ length: 255 }, (_member, at) => `"b${at}":[0]`).join(',');
  const others = Array.from(
    { length: 2200 },
    (_record, at) => `{"a":"x",${common},"b255":[${at}]},{"a":"x","b":["secret",${at}]}`,
  );
  const jsonText = `[{"a":"x","b":["open"]},{"a":"x","b":[]},${others.join(',')}]`;
  const answer = await coreEnforce({
    config: { attrName: 'column', object: 'table', filter: false },
    parameters: {},
    vendor: {},
    jsonText,
    decision: {
      response: [{ access: [], privileges: { allowed: [...NEVER, ...own].map(masking), denied: [] } }],
    },
  });
  expect(answer).toMatchObject({ text: jsonText.replaceAll('"x","b":["secret"', '"***","b":["secret"') });
});
