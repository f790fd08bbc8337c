import * as fc from 'fast-check';
import type { Values } from './helm.ts';
import { NUMBERS, TEXTS } from './odd-configuration.ts';

/** Texts that are numbers, times or flags to some reader of YAML. */
const WORDS = [
  '007',
  '1.10',
  '-0',
  '+1',
  '.5',
  '5.',
  '0b1',
  '9007199254740993',
  '1e400',
  '0x1FFFFFFFFFFFFFFFF',
  '2026-01-01T00:00:00Z',
  '12:30:45',
  'NO',
  'True',
  '---',
  '...',
  '--- a',
  'a\n---\nb',
  '\n',
  'a\n\nb\n',
  ' \n',
  'a  # b',
  'a:',
  ':a',
  '\uFEFFa',
  '\u00A0a',
  '\u00AD',
  'a\r\nb',
  `- ${'x '.repeat(60)}`,
  `${'x '.repeat(60)}: y`,
  `${'x '.repeat(60)}#y`,
  `${'x '.repeat(39)} y`,
  `${'x '.repeat(60)}\n`,
  `"${'x '.repeat(60)}`,
  '"a" b',
  "'a' b",
  'a\u0000b',
  '\u001B[0m',
  '𝒳'.repeat(60),
];
const PATHS = [
  'ssn',
  'a.b',
  'a.#.b',
  '$.a[*].b',
  "$['a b']",
  '$..a',
  '$',
  '@type',
  'a b',
  'all',
  'a[0]',
  '/a',
  'a,b',
  'a..b',
  '$.a[?(@.b)]',
  'a\\.b',
  'é',
  '#',
  'a*',
  '$[0]',
  '$[-1]',
  '$[1:2]',
  '$[::0]',
  '$[99999999999999999999]',
  "$['\\u00e9']",
  "$['\\ud800']",
  'column',
  'table',
];
const ACTIONS = [
  'MASK',
  'mask',
  ' Mask ',
  'FILTER',
  'filter ',
  'last(4)',
  'last(4, *)',
  'last4',
  'last(99999999999999999999)',
  'edges(2)',
  'hash(k)',
  'hash()',
  'value(1)',
  'value({"a": 1, "a": 2})',
  'value(1e400)',
  'value(9007199254740993)',
  'value("\n")',
  'value("\\ud800")',
  'value(1, 2)',
  'value(1]},[{"a":[2)',
  'value(null)',
  'value(-0)',
  'value(01)',
  'value(\u00A01)',
  'value()',
  'round(0.05)',
  'round(1e400)',
  'round(1e-400)',
  'round(0.0)',
  'bucket(1, 2)',
  'bucket(2, 1)',
  'bucket(1, 1)',
  'bucket(1e400)',
  'email(domain)',
  'date(year)',
  'year()',
  'null()',
  'remove()',
  'middle(1, ab)',
  'middle(1, \u{1F469}\u200D\u{1F4BB})',
  '\uFEFFMASK',
  '\u000BMASK\u2003',
  '\u0085MASK',
  'la\u017Ft(4)',
  'ha\u017Fh(a)',
  `last(4)${' '.repeat(300)}`,
  `last(${' '.repeat(300)}4)`,
  'last(4, \u00E9\u00E9)',
  'last(4, e\u0301)',
  'last(4, ))',
  'last(4,)',
  `round(${'1'.repeat(101)})`,
  `round(${'1'.repeat(100)})`,
  'round(1e301)',
  'round(1e300)',
  'round(1.5e301)',
  'bucket(1e99999999999999999999)',
  `value(${'['.repeat(70)}${']'.repeat(70)})`,
  `value(${'1'.repeat(400)})`,
  'value("\\u1e123")',
  'value("\\u0e1234567")',
  'value(1e+0400)',
  'value(1e)',
  'value(1.e400)',
  '1::MASK',
  'x::MASK',
  'MAKS',
  'gone',
  'card()',
  'shape()',
  'ma\u017Fk',
  'mas\u212A',
  'buc\u212Aet(1)',
  '\uFB01lter',
  '\u0130d',
];
const OPERATORS = [
  'EQUALS',
  'not_in',
  'IN',
  'LESS',
  'GREATER_EQUALS',
  'CONTAINS',
  'STARTS_WITH',
  'STARTWITH',
  'equals ',
  'e_q_u_a_l_s',
  'E\u017Fquals',
  'LE\u017FS',
  '',
  'LIKE',
];
const REFERENCES = [
  '${entityId}',
  '${claims.a}',
  "${claims['a b']}",
  '${claims.a.b[0]}',
  '${claims.$.a}',
  '${claims}',
  '${entityId} ',
  'a${entityId}',
  '${x}',
  '$${entityId}',
  '$',
  '$a',
  '{',
  '${',
  '${claims.a}\n',
];
const OF_TYPES = [
  '1',
  '-1.5',
  '1e3',
  '1E400',
  '1e-400',
  '+1',
  ' 1',
  '0x1',
  '1_0',
  'true',
  'FALSE',
  'yes',
  '2026-01-01',
  '2026-02-30',
  '2026-01-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01 00:00',
  '10000-01-01',
  '2026-01-01T00:00:00+25:00',
  '2026-01-01T00:00:60Z',
  '12345678901234567890',
  '1'.repeat(400),
];
const CLAIMS = [
  '$.role',
  "$['https:a']",
  '$.a[*]',
  '$.a[0].b',
  'role',
  '$',
  '$..a',
  '$.a[1234567890]',
  '$.é',
  '$.a\n',
  'true',
  '__proto__',
  '',
];
const NAMES = [
  'a',
  'b',
  'a b',
  '1',
  '1e3',
  'true',
  'null',
  '',
  'é',
  '__proto__',
  'a: b',
  '{{',
  'x'.repeat(130),
];

const ODD: readonly unknown[] = [
  ...TEXTS,
  ...WORDS,
  ...NUMBERS,
  -0.5,
  1e15,
  123_456_789_012_345,
  true,
  false,
  null,
  [],
  {},
  [''],
  [null],
  [1],
  [[]],
  [{}],
  { a: 'b' },
  { a: null },
];
const odd = fc.constantFrom(...ODD);

/** Mostly one of these, and now and then anything. */
function like(values: readonly unknown[], weight = 30): fc.Arbitrary<unknown> {
  return fc.oneof({ weight, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: odd });
}

/** What Helm cannot write is refused: few of these. */
const UNWRITABLE = ['\u0085', '\u2028', '\u007F'];

function likely(arbitrary: fc.Arbitrary<unknown>, weight = 30): fc.Arbitrary<unknown> {
  return fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: odd });
}

function listOf(element: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return likely(fc.array(element, { minLength: 1, maxLength: 3 }));
}

function mapOf(names: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return likely(fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 3 }));
}

/** A map with a few of the members, and now and then another one. */
function closed(
  needed: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  others: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Values> {
  const few = fc.uniqueArray(fc.constantFrom(...Object.keys(others)), { maxLength: 2 });
  return few.chain((names) => {
    const chosen = Object.entries(others).filter(([name]) => names.includes(name));
    return fc
      .tuple(
        fc.record(needed),
        fc.record(Object.fromEntries(chosen)),
        fc.oneof({ weight: 40, arbitrary: fc.constant({}) }, fc.constant({ unknown: 'a' })),
      )
      .map((parts) => Object.assign({}, ...parts) as Values);
  });
}

const text = fc.oneof(
  { weight: 200, arbitrary: like([...TEXTS, ...WORDS]) },
  { weight: 1, arbitrary: fc.constantFrom(...UNWRITABLE) },
);
const path = like([...PATHS, ...PATHS.slice(0, 6), ...PATHS.slice(0, 6)]);
const flag = like([true, false], 6);
const count = like([0, 1, '7', '007', 60, 300, 301, '999999999999999', 999_999_999_999_999, 1e15, '1e3'], 20);
const plain = like(['a', 'b', ...TEXTS, ...WORDS, '${entityId}', '$', '$a', '$${a}']);

const value = like([
  ...OF_TYPES,
  ...REFERENCES,
  ...TEXTS,
  ...WORDS,
  1,
  -1,
  1.5,
  2 ** 53,
  1e21,
  1e-7,
  true,
  false,
]);
const TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'DATE', 'DATETIME'];
const ofType = fc.oneof(
  ...TYPES.map((type) =>
    fc.record({
      type: fc.constant(type),
      values: fc.oneof(
        like(OF_TYPES),
        fc.array(like([...OF_TYPES, 1, 1.5, true, 2 ** 53]), { minLength: 1, maxLength: 2 }),
      ),
    }),
  ),
);
const comparison = fc
  .tuple(
    closed(
      { attribute: path, operator: like(OPERATORS), values: fc.oneof(value, listOf(value)) },
      { type: like(TYPES), match: like(['ANY', 'ALL', 'any']) },
    ),
    fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, ofType),
  )
  .map(([one, typed]): unknown => Object.assign({}, one, typed));
const { tree: condition } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: likely(comparison, 20) },
    ...['all', 'any', 'and', 'All'].map((name, index) => ({
      weight: index < 2 ? 2 : 1,
      arbitrary: listOf(tie('tree')).map((parts): unknown => ({ [name]: parts })),
    })),
    { weight: 1, arbitrary: tie('tree').map((part): unknown => ({ all: [part], any: [part] })) },
  ),
}));

const claimValue = like(['a', '1', 'true', 1, true, ...WORDS, '${entityId}']);
const audience = closed(
  {},
  { entityIds: listOf(plain), entityTypes: listOf(plain), claims: mapOf(CLAIMS, listOf(claimValue)) },
);
const audiences = fc.oneof(likely(audience), listOf(audience));

const METADATA = [
  'DRY_RUN',
  'DRYRUN',
  'dry_run',
  'Dry-Run',
  'DRY',
  'owner',
  'DRY_RUNS',
  'Dry run',
  'd1r2y3r4u5n',
  ...NAMES,
];
const policy = closed(
  {
    name: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('A', 'B', 'C', 'D', 'E') }, text),
    action: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('MASK', 'last(4)') },
      { weight: 2, arbitrary: like(ACTIONS) },
      {
        weight: 2,
        arbitrary: likely(
          closed(
            { name: like([...ACTIONS, 'Set']), value: like([...ACTIONS, ...TEXTS, '', ' ', '${a}']) },
            { x: text },
          ),
          20,
        ),
      },
    ),
    properties: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('all', ['ssn']) },
      { weight: 2, arbitrary: listOf(path) },
    ),
  },
  {
    scopes: listOf(like(['client', 'other', 'client '])),
    for: audiences,
    except: audiences,
    assetType: like(['account', 'DEFAULT', 'table', ...NAMES]),
    effect: like(['allowed', 'denied', 'Denied']),
    object: path,
    priority: count,
    when: condition,
    assets: likely(fc.record({ type: text, ids: fc.oneof(fc.constant('all'), listOf(plain)) }), 20),
    metadata: mapOf(METADATA, fc.oneof(plain, path)),
  },
)
  // Records are filtered without properties, and half of the policies without them are right.
  .chain((one) =>
    /^\s*filter/iu.test(String(one['action']))
      ? fc.constantFrom(one, withoutProperties(one))
      : fc.constant(one),
  );

function withoutProperties(one: Values): Values {
  return Object.fromEntries(Object.entries(one).filter(([name]) => name !== 'properties'));
}

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const keySet = like([
  'keys.json',
  { keys: [KEY] },
  { keys: [KEY], more: 1 },
  { keys: [] },
  { keys: [{ ...KEY, d: 'a' }] },
  { keys: [{ ...KEY, kid: '1e3' }] },
  { keys: [{}] },
  { keys: KEY },
  {},
  '',
]);
const tokens = closed(
  { jwks: keySet, issuer: text, audience: text },
  {
    requireExpiration: flag,
    clockTolerance: count,
    entityId: like(CLAIMS),
    entityTypeId: like(CLAIMS),
    actsForOthers: flag,
  },
);
const scope = closed(
  { clientId: fc.oneof({ weight: 3, arbitrary: fc.constant('client') }, text), jwt: likely(tokens, 20) },
  { entityTypeId: text, clientSecret: like(['a']) },
);

const payload = like(
  [{ a: 1 }, [1], '{"a": 1}', 'a', '', { a: 1e21 }, { a: 1.5, b: null }, 1, ...TEXTS, ...WORDS],
  40,
);
const test = closed(
  { name: fc.oneof(fc.constantFrom('A', 'B'), text), json: payload },
  {
    as: likely(closed({}, { entityTypeId: text, entityId: text, claims: mapOf(NAMES, odd) })),
    parameters: mapOf(['root', 'assetType', 'filter', 'FILTER', 'assetId', 'x'], text),
    vendor: mapOf(NAMES, odd),
    expect: payload,
    expectError: like(['not-ready', 'Not-Ready', 'nothing']),
  },
);

const mappers = mapOf(['account', 'DEFAULT', ...NAMES], mapOf(NAMES, mapOf(['ssn', ...NAMES], path)));

/** A policy file of which a few members have any value. */
export const oddPolicies: fc.Arbitrary<Values> = closed(
  { policies: likely(fc.array(likely(policy, 40), { minLength: 1, maxLength: 2 }), 60) },
  {
    attrName: like(['column', 'table', ...TEXTS, ...WORDS]),
    object: like(['column', 'table', ...TEXTS, ...WORDS]),
    assetType: text,
    tokenValidity: count,
    trustUnverifiedClaims: flag,
    maskShort: flag,
    scopes: listOf(scope),
    mappers,
    tests: listOf(test),
  },
);
