import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { checkConfiguration as bySchema } from '../../src/config/load.ts';
import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import { checkConfiguration, rightConfiguration } from '../../src/config/open.ts';
import { ConfigurationError } from '../../src/yaml/index.ts';

const ORIGIN = { name: 'config.yaml', folder: '/etc' };
const REMOTE = { port: 5002, pdpUrl: 'http://127.0.0.1:8181' };

/** What a key may be given: values of every type, at and beyond the bounds of numbers, and what other keys take. */
const NUMBERS = [
  0,
  1,
  2,
  50,
  99,
  100,
  256,
  1024,
  1025,
  65_535,
  65_536,
  3_600_000,
  1e12,
  -1,
  0.5,
  NaN,
  Infinity,
];
const WORDS = [
  '',
  'auto',
  'info',
  'json',
  'deny',
  'allow',
  'opa',
  'authzen',
  'require',
  '${x}',
  '/a',
  'a?b',
  '***',
];
const ADDRESSES = ['pdp:8080', 'https://pdp/x', 'http://user:pass@pdp', '127.0.0.1'];
const EXAMPLES = CONFIGURATION_KEYS.map(({ example }) => example);
const value = fc.oneof(
  fc.constantFrom<unknown>(...NUMBERS, ...WORDS, ...ADDRESSES, ...EXAMPLES, true, false, null, undefined),
  fc.constantFrom({}, [], { port: 1 }, { a: undefined }, ['x'], [[]]),
  fc.string(),
);
const key = fc.oneof(
  { arbitrary: fc.constantFrom(...CONFIGURATION_KEYS.map((one) => one.key)), weight: 9 },
  fc.constantFrom('log', 'tls', 'pdpUrl.x', 'prot', '__proto__', 'constructor', 'log.levels'),
);

/** Values with keys nested as YAML has them, or flat. */
function valuesFrom(
  entries: readonly (readonly [string, unknown])[],
  isFlat: boolean,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...REMOTE };
  for (const [name, given] of entries) {
    const [group = '', ...rest] = isFlat ? [name] : name.split('.');
    Object.defineProperty(values, group, { ...OPEN, value: nested(rest, given, values[group]) });
  }
  return values;
}

const OPEN = { configurable: true, enumerable: true, writable: true } as const;

function nested([name, ...rest]: readonly string[], given: unknown, group: unknown): unknown {
  if (name === undefined) return given;
  const members = typeof group === 'object' && group !== null ? group : {};
  return { ...members, [name]: nested(rest, given, Reflect.get(members, name)) };
}

function problemsBySchema(values: Record<string, unknown>): unknown {
  try {
    return bySchema(values, ORIGIN);
  } catch (error) {
    return error instanceof ConfigurationError ? error.message : error;
  }
}

/** Whether values are read as the schema reads them, or not at all. */
function isAsBySchema(values: Record<string, unknown>): boolean {
  const right = rightConfiguration(values, ORIGIN.folder);
  return right === undefined || isDeepStrictEqual(plain(right), plain(problemsBySchema(values)));
}

/** A key without a value is as good as none. */
function plain(configuration: unknown): unknown {
  return JSON.parse(JSON.stringify(configuration));
}

describe('a configuration is read without the schema', () => {
  test('as the schema would read it, or not at all', () => {
    const found = fc.check(
      fc.property(fc.array(fc.tuple(key, value), { maxLength: 6 }), fc.boolean(), (entries, isFlat) =>
        isAsBySchema(valuesFrom(entries, isFlat)),
      ),
      { numRuns: 500 },
    );
    expect(found).toMatchObject({ failed: false, counterexample: null });
  });

  test('as the schema would read it, with any value of any key', () => {
    const given = fc.sample(value, { numRuns: 40, seed: 1 });
    const cases = CONFIGURATION_KEYS.flatMap((one) =>
      given.map((sample) => valuesFrom([[one.key, sample]], false)),
    );
    expect(cases.filter((values) => !isAsBySchema(values))).toEqual([]);
  });

  test.each([
    ['what a service with a remote PDP needs', REMOTE],
    ['what a service with a policy file needs', { port: 0, policyFile: 'policies.yaml', filter: true }],
    [
      'numbers, words and files in groups',
      { ...REMOTE, log: { level: 'debug' }, tls: { certFile: 'a', keyFile: 'b' } },
    ],
    ['defaults by protocol', { ...REMOTE, pdpProtocol: 'authzen' }],
  ])('if it has %s', (_what, values) => {
    expect(rightConfiguration(values, ORIGIN.folder)).toEqual(bySchema(values, ORIGIN));
  });
});

test.each([
  ['a text', { maskString: '${MASK}' }],
  ['a text in a group', { tracing: { serviceName: 'masking-${ZONE}' } }],
])(
  '%s with a variable, which nothing replaces, is left to the schema, which refuses it',
  async (_, values) => {
    const wrong = { ...REMOTE, ...values };
    expect(rightConfiguration(wrong, ORIGIN.folder)).toBeUndefined();
    await expect(checkConfiguration(wrong, ORIGIN)).rejects.toThrow('variables are not expanded');
  },
);

test('the schema says what is wrong with a configuration', async () => {
  const wrong = { ...REMOTE, prot: 1, log: { level: 'loud' } };
  await expect(checkConfiguration(wrong, ORIGIN)).rejects.toThrow(String(problemsBySchema(wrong)));
});

test('the schema reads keys that are more than numbers, words and texts', async () => {
  const routed = {
    ...REMOTE,
    proxy: { port: 1, upstream: 'http://127.0.0.1:2' },
    routes: [{ path: '/**', pass: true }],
  };
  expect(rightConfiguration(routed, ORIGIN.folder)).toBeUndefined();
  await expect(checkConfiguration(routed, ORIGIN)).resolves.toEqual(bySchema(routed, ORIGIN));
});

test.each([
  ['a number with a fraction for a whole one', { drainDelay: 0.5 }],
  ['a list for a group of keys', { log: [] }],
])('%s is left to the schema, which refuses it', async (_, values) => {
  const wrong = { ...REMOTE, ...values };
  expect(rightConfiguration(wrong, ORIGIN.folder)).toBeUndefined();
  await expect(checkConfiguration(wrong, ORIGIN)).rejects.toThrow('1 problem');
});

test('the object of a program stays as it is', async () => {
  const given = { ...REMOTE, pdpProtocol: 'opa', pdpUrl: 'http://127.0.0.1:8181/v1/data/masking' };
  const before = structuredClone(given);
  await checkConfiguration(given, ORIGIN);
  expect(given).toEqual(before);
});

test('a key whose value is null is absent, also in a group', async () => {
  const given = { ...REMOTE, rootWord: null, log: { level: null, format: 'text' } };
  await expect(checkConfiguration(given, ORIGIN)).resolves.toEqual(
    bySchema({ ...REMOTE, log: { format: 'text' } }, ORIGIN),
  );
});
