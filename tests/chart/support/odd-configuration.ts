import * as fc from 'fast-check';
import * as z from 'zod';
import { schemaAt } from '../../../scripts/generate/chart/config-schema.ts';
import type { Values } from './helm.ts';

const jsonSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
  additionalProperties: z.unknown().optional(),
});
type JsonSchema = z.output<typeof jsonSchema>;

/** What YAML may read as something else, or write in another way. */
export const TEXTS = [
  '',
  ' ',
  'a',
  'a ',
  ' a',
  'a b',
  '0',
  '-1',
  '1e3',
  '1e6',
  '0x1F',
  '0o17',
  '012',
  '1_000',
  '1:30',
  'yes',
  'no',
  'on',
  'y',
  'null',
  '~',
  'true',
  '.inf',
  '.nan',
  '2001-01-01',
  'a: b',
  'a #b',
  '# a',
  '- a',
  '-',
  '?',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%',
  '@',
  '`',
  '"',
  "'",
  '{',
  '[',
  '{a}',
  'é',
  '😀',
  'a\n',
  'a\nb',
  '\na',
  'a\n\n',
  '\ta',
  'a\tb',
  ' a\nb ',
  '{{',
  '${A}',
  '$',
  'a\\b',
  '=',
  '<<',
  '\u200B',
  '\u0001',
  'a\rb',
  '{{ .Release.Name }}',
  'x'.repeat(90),
  'x '.repeat(60),
  `${'x '.repeat(60)}\ny`,
];
export const NUMBERS = [0, 1, -1, 80, 65_536, 1e6, 2 ** 31, 2 ** 53, 1e21, 1e300, 0.5, 1e-7];
const ADDRESSES = [
  'pdp:80',
  'http://pdp',
  'https://pdp:8443/a',
  'HTTP://PDP:80',
  'http://pdp:443',
  '[::1]:80',
  'pdp',
  'http://[::1]/',
  'http://127.0.0.1:5002',
  'http://localhost:80',
  'pdp:0',
  'pdp:65536',
  'http://pdp/a b',
  'http://pdp?a',
  'http://u:p@pdp',
  'http://ü.example',
  'http://a_b/',
  'pdp.:80',
  'http://pdp:/',
  'pdp:',
  'http://1.2.3.256',
  'ftp://pdp',
  'https:pdp',
  '//pdp',
  'http://pdp\\a',
  'http://a..b/',
  'http://[::g]/',
  'http://[1::2::3]/',
  'http://host:0080/',
  'http://[fe80::1%25eth0]:80',
  'http://LOCALHOST:5002',
  'http://[::]:5002',
  'http://0.0.0.0:8443',
  'http://[::ffff:1.2.3.4]:80',
  'http://1.2.3',
  'opa/v1/data/a',
];
const HOSTS = [
  '0.0.0.0',
  '::',
  'masker.local',
  '10.0.0.1',
  'fe80::1%eth0',
  '[::1]',
  '1',
  '.',
  '-',
  'é',
  'a_b',
  'a.',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '::1.2.3.4',
  '::01.2.3.4',
  'http://a',
  'a:1',
];
const PATHS = [
  '/',
  '/a',
  '/a/b',
  'a',
  '//a',
  '/a?b',
  '/a#',
  '/a b',
  '/a/**',
  '/*',
  '/**',
  '/a*',
  '/a/../b',
  '/%2f',
  '/é',
  '/:x',
  '/a;b',
  '/a/./b',
  '/a/',
  '/%',
  '/a\\b',
  'a.b',
  'a.#.b',
  '$.a[*]',
  '$[',
  'a..b',
  '@a',
  'a,b',
];
const ACTIONS = [
  'MASK',
  'mask',
  'FILTER',
  'last(4)',
  'last(4',
  '1::MASK',
  'hash(k)',
  'value(1)',
  'value(x)',
  'gone',
];
const HEADERS = ['X-User', 'x user', '', 'x:', 'é', 'X_User', 'constructor'];
const VARIABLES = [
  '${claims.sub}',
  '${headers.x-user}',
  '${method}',
  '${path}',
  '${x}',
  '$${path}',
  'a${path}b',
  '${',
  '${claims.$.a}',
  "${claims['a b']}",
  '${claims.a.b[0]}',
  '${claims}',
];
const NAMES = [
  'a',
  'b',
  'vendor',
  'A-b_1',
  'x.y',
  '1',
  'yes',
  'null',
  'a b',
  '',
  'é',
  '__proto__',
  '{{',
  '${A}',
];

/** The texts that mean something for a key, by its name. */
const MEANT: readonly (readonly [key: RegExp, texts: readonly string[]])[] = [
  [/(?:Url|Uri|upstream|endpoint|issuer)$/u, ADDRESSES],
  [/host$/iu, HOSTS],
  [/(?:path|file|root|assetId|protectedObject)$/iu, PATHS],
  [/action$/u, ACTIONS],
  [/Headers$/u, HEADERS],
  [/vendor|pdpContext/u, [...VARIABLES, ...TEXTS]],
];

function textsFor(key: string): readonly string[] {
  return MEANT.find(([name]) => name.test(key))?.[1] ?? TEXTS;
}

function oneOf(values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.constantFrom(...values);
}

function integer({ minimum = 0, maximum = 2 ** 53 - 1 }: JsonSchema, key: string): fc.Arbitrary<unknown> {
  const usual = /port$/iu.test(key) ? [80, 443, 5002, 5004, 8443, 9464] : [minimum, maximum];
  return fc.oneof(
    { weight: 4, arbitrary: oneOf(usual) },
    { weight: 4, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, 100_000) }) },
    { weight: 1, arbitrary: oneOf([minimum - 1, maximum + 1, ...NUMBERS]) },
  );
}

/** Without these, a group is refused whatever else it has. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'identity.jwt': ['issuer', 'audience'],
  proxy: ['port', 'upstream'],
  extProc: ['port'],
  metrics: ['port'],
  health: ['port'],
  explain: ['port'],
};

function group(
  { properties, required, additionalProperties }: JsonSchema,
  key: string,
): fc.Arbitrary<unknown> {
  if (Object.keys(properties).length > 0) {
    const members = Object.entries(properties).map(
      ([name, schema]) => [name, valueOf(schema, `${key}.${name}`)] as const,
    );
    return fc.record(Object.fromEntries(members), {
      requiredKeys: [...required, ...(NEEDED[key] ?? [])],
    });
  }
  const hasSchema = Object.keys(Object(additionalProperties)).length > 0;
  const anything = oneOf([...textsFor(key), ...NUMBERS, true, null, ['a', 1], { a: { b: '1e3' } }]);
  const value = hasSchema ? valueOf(additionalProperties, `${key}.a`) : anything;
  return fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3 });
}

/** Values of a key of the configuration: many that are right, and some that are not. */
function valueOf(written: unknown, key: string): fc.Arbitrary<unknown> {
  const schema = jsonSchema.parse(written);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, key)));
  if (schema.enum !== undefined) return oneOf([...schema.enum, ...schema.enum, ...schema.enum, '', 'no']);
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case 'integer':
      return integer(schema, key);
    case 'number':
      return fc.oneof(oneOf(NUMBERS), fc.double({ min: 0, max: 1, noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return oneOf(textsFor(key));
    case 'array':
      return fc.array(valueOf(schema.items, key), { maxLength: 3 });
    case 'object':
      return group(schema, key);
    default:
      return oneOf([...TEXTS, ...NUMBERS, null, true, [], {}]);
  }
}

const PORT = 5002;
/** What is right, and to be changed in a few keys. */
const RIGHT: readonly Values[] = [
  { port: PORT, pdpUrl: 'pdp:8080' },
  { port: PORT, pdpHost: 'pdp', pdpPort: 8080 },
  { port: PORT, pdpProtocol: 'authzen', pdpUrl: 'http://pdp:8080' },
  { port: PORT, pdpProtocol: 'opa', pdpUrl: 'http://opa:8181/v1/data/a' },
  {
    port: PORT,
    pdpUrl: 'https://pdp:8443',
    proxy: { port: 8443, upstream: 'http://app:80' },
    identity: { jwt: { issuer: 'https://idp', audience: 'a' } },
    trustedHeaders: ['x-user'],
    metrics: { port: 9464 },
  },
];

const KEYS = Object.entries(jsonSchema.parse(schemaAt([])).properties).map(
  ([name, schema]): [string, fc.Arbitrary<unknown>] => [name, valueOf(schema, name)],
);

/** A configuration of which a few keys have any value. Only the embedded PDP is left out: its policies are a value of the chart. */
export const oddConfiguration: fc.Arbitrary<Values> = fc
  .tuple(fc.constantFrom(...RIGHT), fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }))
  .chain(([right, keys]) => fc.record(Object.fromEntries(keys)).map((odd) => Object.assign({}, right, odd)));
