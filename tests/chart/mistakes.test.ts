import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import { check } from '../../src/process/check.ts';
import { isPath } from '../support/is-path.ts';
import { refusal, type Values } from './support/helm.ts';
import { folderWith } from './support/pod.ts';
import { describeChart } from './support/tools.ts';

/** Whether `--check` takes a configuration, with policies beside it if there are some. */
async function isTakenByService(config: Values, policies?: unknown): Promise<boolean> {
  const configuration = {
    port: 5002,
    ...(policies !== undefined && { policyFile: 'policies.yaml' }),
    ...config,
  };
  const folder = folderWith({
    'config.yaml': JSON.stringify(configuration),
    'policies.yaml': JSON.stringify(policies ?? {}),
    key: 'x'.repeat(32),
  });
  return check(path.join(folder, 'config.yaml')).then(
    () => true,
    () => false,
  );
}

/** What the chart says of the same. */
function refusalOfChart(config: Values, policies?: unknown): string {
  return refusal({ config: { port: 5002, ...config }, ...(policies !== undefined && { policies }) });
}

const POLICY: Values = { name: 'Numbers', properties: ['ssn'], action: 'MASK' };
const COMPARISON: Values = { attribute: 'country', operator: 'EQUALS', values: ['US'] };

function when(change: Values): Values {
  return { when: { ...COMPARISON, ...change } };
}

function fileWith(change: Values): Values {
  return { policies: [{ ...POLICY, ...change }] };
}

/** Changes of a right policy that make it wrong, and what the chart names. */
const WRONG_POLICIES: readonly (readonly [change: Values, words: string])[] = [
  ...[
    'a..b',
    '.a',
    'a.',
    'a\\',
    '#(a)',
    '$.',
    '$[',
    '$[?(@.a)]',
    '$[::0]',
    "$['\\u12']",
    '$.a b',
    '$x.#(a)',
  ].map((written): [Values, string] => [{ properties: ['a', written] }, "properties/1': "]),
  [{ object: 'a..b' }, "object': 'a..b' does not match"],
  [{ properties: undefined }, "missing property 'properties'"],
  [{ action: 'FILTER' }, "properties': false schema"],
  [{ action: { name: 'Own', value: ' filter ' } }, "properties': false schema"],
  [{ action: 'Filter', properties: undefined, priority: 1 }, "priority': false schema"],
  ...['last4', 'remove()', { name: 'MASK', value: 'gone' }].map((action): [Values, string] => [
    { effect: 'denied', action },
    '/policies/policies/0/action',
  ]),
  [{ effect: 'denied', priority: 1 }, "priority': false schema"],
  [{ properties: 'all', object: 'a' }, "properties': got string, want array"],
  [{ object: 'a', action: 'FILTER', properties: undefined }, "missing property 'properties'"],
  [{ assets: { type: 'a', ids: ['1'] }, ...when({}) }, "assets': false schema"],
  [{ assets: { type: 'a', ids: ['1'] }, effect: 'denied' }, "effect': value must be 'allowed'"],
  [{ assets: { type: 'a', ids: 'all' }, properties: 'all' }, "properties': got string, want array"],
  [{ assets: { type: 'a', ids: ['${entityId}'] } }, "ids/0': "],
  [{ for: {} }, "for': minProperties"],
  [{ except: [{}] }, "except/0': minProperties"],
  [{ for: { claims: {} } }, "claims': minProperties"],
  [{ for: { claims: { role: ['a'] } } }, "'role' not allowed"],
  [{ for: { claims: { '$..role': ['a'] } } }, "'$..role' not allowed"],
  [{ for: { entityIds: ['${claims.sub}'] } }, "entityIds/0': "],
  ...['DRYRUN', 'dry_run', 'Dry-Run', 'DRY_RUN_'].map((name): [Values, string] => [
    { metadata: { [name]: 'id' } },
    `additional properties '${name}' not allowed`,
  ]),
  [{ metadata: { DRY_RUN: 'a..b' } }, "DRY_RUN': 'a..b' does not match"],
  [{ metadata: { owner: '${entityId}' } }, "owner': "],
  [when({ attribute: 'a..b' }), "attribute': 'a..b' does not match"],
  ...['${entityid}', 'x${entityId}', '${entityId', '${claims}', '${claims.}', '${claims..a}'].map(
    (value): [Values, string] => [when({ values: [value] }), "values/0': "],
  ),
  [when({ values: '${entityid}' }), "values': "],
  ...[
    ['INTEGER', ['abc', '1.5', '', '007', '1e-3', true, 1.5]],
    ['NUMBER', ['abc', '1.', '.5', true]],
    ['BOOLEAN', ['yes', 1, '']],
    ['DATE', ['31.01.2026', '2026-1-1', 2026, true]],
    ['DATETIME', ['2026-01-31 09:30']],
  ].flatMap(([type, values]) =>
    lodash
      .castArray(values)
      .map((value): [Values, string] => [when({ type, values: [value] }), "values/0': "]),
  ),
  [when({ type: 'INTEGER', values: 'abc' }), "values': "],
  [when({ type: 'BOOLEAN', operator: 'LESS', values: [true] }), "operator': "],
  [when({ operator: 'CONTAINS', values: ['a', ''] }), "values/1': minLength"],
  [{ when: { all: [{ any: [{ ...COMPARISON, type: 'INTEGER' }] }] } }, "all/0/any/0/values/0': "],
  ...['value({"a":1)', 'value(1,2)', 'value(x)', 'value(1],[2)'].map((action): [Values, string] => [
    { action },
    'policies.policies[0].action cannot be read (it must be value(<json>))',
  ]),
  ...['x::MASK', 'a :: last(4)', 'my::filter '].map((value): [Values, string] => [
    { action: { name: 'Own', value } },
    'policies.policies[0].action.value has no number before ::',
  ]),
  [
    { action: 'hash(k)' },
    'policies.policies[0].action uses a key that maskKeys of the configuration does not name',
  ],
  [
    { action: { name: 'Own', value: ' Hash( k ) ' } },
    'policies.policies[0].action.value uses a key that maskKeys of the configuration does not name',
  ],
  [{ scopes: ['bank'] }, 'policies.policies[0].scopes[0] is not one of the scopes'],
];

/** The same for what is not about one policy. */
const WRONG_FILES: readonly (readonly [file: Values, config: Values, words: string])[] = [
  [{ policies: [POLICY, POLICY] }, {}, 'policies.policies[1].name is used above already, and must be unique'],
  [{ policies: [POLICY], attrName: 'table' }, {}, 'policies.object must differ from attrName'],
  [
    { policies: [POLICY] },
    { attrName: 'other' },
    'policies.attrName is column, and config.attrName is other; remove it from config, or make both the same',
  ],
  [{ policies: [POLICY], mappers: { columns: { a: { ssn: 'a..b' } } } }, {}, "ssn': 'a..b' does not match"],
];

const PROXY = { proxy: { port: 8080, upstream: 'http://app:80' } };

function route(treatment: Values): Values {
  return { ...PROXY, routes: [{ path: '/', ...treatment }] };
}

function authzen(...properties: readonly Values[]): Values {
  return { pdpProtocol: 'authzen', pdpUrl: 'http://pdp', authzen: { properties } };
}

/** Configurations that are wrong, and what the chart names. */
const WRONG_CONFIGURATIONS: readonly (readonly [config: Values, words: string])[] = [
  [route({ pass: true, vendor: { entityId: 'jane' } }), "routes/0/vendor': got object, want null"],
  [route({ refuse: true, parameters: {} }), "routes/0/parameters': got object, want null"],
  [route({ pass: true, nonJson: 'pass' }), "routes/0/nonJson': got string, want null"],
  [route({ pass: true, refuse: true }), "routes/0/refuse': value must be one of false"],
  [{ ...PROXY, otherwise: { pass: true, refuse: true } }, "otherwise/refuse': value must be one of false"],
  [route({ methods: ['FETCH'] }), "routes/0/methods/0': value must be one of"],
  [route({ methods: ['get'] }), "routes/0/methods/0': value must be one of"],
  [route({ parameters: { root: 'a..b' } }), "root': 'a..b' does not match"],
  [{ ...PROXY, otherwise: { parameters: { assetId: 'a..b' } } }, "assetId': 'a..b' does not match"],
  [
    route({ parameters: { calculationType: 'context', protectedObject: 'a' } }),
    "parameters': missing property 'assetId'",
  ],
  ...['${user}', '${headers}', '${headers.a b}', '${claims..a}', 'a${method', '${method}${x}'].map(
    (id): [Values, string] => [
      route({ vendor: { groups: [{ id }] } }),
      'config.routes.0.vendor.groups.0.id has a variable that is not known; the known ones are ${claims.x}, ${headers.x}, ${method} and ${path}',
    ],
  ),
  [
    route({ vendor: { id: '${claims.sub}' } }),
    'config.identity.jwt is required for the ${claims.…} variables of routes and otherwise',
  ],
  ...['http://user:word@collector', 'https://user@collector:4318'].map((endpoint): [Values, string] => [
    { tracing: { endpoint } },
    'config.tracing.endpoint must not carry a user name or password: the configuration is no place for secrets',
  ]),
  [
    { tracing: { endpoint: 'http://collector/?a=b' } },
    'config.tracing.endpoint must not have a query or fragment',
  ],
  [
    { identity: { jwt: { issuer: 'x', audience: 'a' } } },
    'config.identity.jwt.issuer must be a URL that begins with https:// or http://, or identity.jwt.jwksUri must be given',
  ],
  [route({ nonJson: 'skip' }), "routes/0/nonJson': value must be one of 'refuse', 'pass'"],
  [route({ parameters: { calculationType: 'x' } }), "parameters/calculationType': value must be one of"],
  [
    { ...PROXY, otherwise: { parameters: { calculationType: '' } } },
    "calculationType': value must be one of",
  ],
  [route({ parameters: { maskString: 'x'.repeat(257) } }), "parameters/maskString': maxLength"],
  [route({ parameters: { assetType: '' } }), "parameters/assetType': minLength"],
  [authzen({ path: '/a' }), "properties/0/path': '/a' does not match"],
  [authzen({ path: 'a..b' }), "properties/0/path': 'a..b' does not match"],
  ...lodash
    .toPairs({
      gone: 'must be MASK or a mask',
      'last(4': 'cannot be read (it must be first(N), middle(N), last(N), edges(N))',
      'value(x)': 'cannot be read (it must be value(<json>))',
      'hash(k)': 'uses a key that maskKeys of the configuration does not name',
      ' Filter ': 'must be a mask: FILTER is about records',
      '1 :: MASK': 'has a priority in front',
      '': 'must be MASK or a mask',
    })
    .map(([action, words]): [Values, string] => [
      authzen({ path: 'a', action }),
      `config.authzen.properties.0.action ${words}`,
    ]),
  [authzen({ path: 'a' }, { path: 'a' }), 'config.authzen.properties must have each path once'],
  [
    { ...authzen(), pdpContext: { a: [{ ['__proto__']: 1 }] } },
    'config.pdpContext.a.0.__proto__ is not a known key',
  ],
  [{ ...authzen(), pdpContext: { vendor: {} } }, 'config.pdpContext must not have vendor'],
  ...['X User', ''].map((name): [Values, string] => [
    { pdpProtocol: 'opa', pdpUrl: 'http://opa/v1/data/a', pdpHeaders: ['a', name] },
    'config.pdpHeaders.1 must be the name of a header field',
  ]),
  ...[2 ** 53, -1e300].map((id): [Values, string] => [
    route({ vendor: { ids: [id] } }),
    'config.routes.0.vendor.ids.0 is a number that would lose digits; put it in quotes',
  ]),
  [route({ vendor: { a: { ['__proto__']: 1 } } }), 'config.routes.0.vendor.a.__proto__ is not a known key'],
  ...['[::1::2]', '[::01.2.3.4]', '[1:2:3:4:5:6:7:8:9]'].flatMap((host): [Values, string][] => [
    [{ pdpUrl: `${host}:80` }, 'config.pdpUrl must be a URL'],
    [{ pdpUrl: null, pdpHost: host }, 'config.pdpHost must be a host'],
    [{ tracing: { endpoint: `http://${host}` } }, 'config.tracing.endpoint must be a URL'],
    [
      { identity: { jwt: { issuer: `https://${host}`, audience: 'a' } } },
      'config.identity.jwt.issuer must be a URL',
    ],
    [
      { identity: { jwt: { issuer: 'a', audience: 'a', jwksUri: `https://${host}` } } },
      'config.identity.jwt.jwksUri must be a URL',
    ],
    [
      { proxy: { port: 80, upstream: `http://${host}` } },
      'config.proxy.upstream must be http:// or https://',
    ],
    [{ host: host.slice(1, -1) }, 'config.host must be a name or an IP address'],
  ]),
  ...['http://127.0.0.1:5002', 'http://LOCALHOST:5002/a', '[::1]:5002'].map((pdpUrl): [Values, string] => [
    { pdpUrl },
    'config.pdpUrl leads back to the service itself (port); give the address of the PDP',
  ]),
  [
    { pdpUrl: null, pdpHost: 'localhost', metrics: { port: 80 } },
    'config.pdpHost leads back to the service itself (metrics.port); give the address of the PDP',
  ],
  ...['a b', '', '-a'].map((name): [Values, string] => [
    { maskKeys: { [name]: { file: 'key' } } },
    `additional properties '${name}' not allowed`,
  ]),
];

describeChart('A mistake that the service refuses', () => {
  it.each(WRONG_POLICIES)('is refused by the chart in a policy: %j', async (change, words) => {
    expect(await isTakenByService({}, fileWith(change))).toBe(false);
    expect(refusalOfChart({}, fileWith(change))).toContain(words);
  });

  it.each(WRONG_POLICIES.filter(([, words]) => !words.includes('maskKeys')))(
    'is refused by the chart of the agent in a policy: %j',
    (change, words) => {
      const told = refusal({ pdp: { policies: fileWith(change) } }, { chart: 'policy-agent' });
      expect(told.replaceAll(/\/pdp(?=\/)|pdp\.(?=policies)/g, '')).toContain(words);
    },
  );

  it.each(WRONG_FILES)(
    'is refused by the chart in a policy file: %j with %j',
    async (file, config, words) => {
      expect(await isTakenByService(config, file)).toBe(false);
      expect(refusalOfChart(config, file)).toContain(words);
    },
  );

  it.each(WRONG_CONFIGURATIONS)('is refused by the chart in the configuration: %j', async (change, words) => {
    const config = { pdpUrl: 'pdp:8080', ...change };
    expect(await isTakenByService(config)).toBe(false);
    expect(refusalOfChart(config)).toContain(words);
  });

  it('is named by its place and in one line, if it is a rule between members', () => {
    expect(refusalOfChart({}, fileWith({ metadata: { DRYRUN: 'id' } }))).toContain(
      "- at '/policies/policies/0/metadata': additional properties 'DRYRUN' not allowed",
    );
  });
});

/** Paths of every syntax, with what separates right ones from wrong ones. */
const PATHS = [
  'a',
  'a.b',
  'a\\.b',
  'a\\\\',
  '#',
  '#.a',
  'a.#',
  'a.#.b',
  '#a',
  '#\\(a',
  '#(*',
  '#(a\\b',
  '\\#(a',
  'a#(b',
  '*',
  'a*b.?',
  '$',
  '$a',
  '$a.b',
  '$\\.a',
  'a.$.b',
  '$$',
  '$.a',
  '$.*',
  '$.#',
  '$..a',
  '$..*',
  "$['a b']",
  '$["a"].b',
  "$['a','b', 1]",
  '$[0]',
  '$[-1]',
  '$[*]',
  '$[ 1 ]',
  '$[1:2]',
  '$[::2]',
  '$[ : ]',
  '$[-3:]',
  '$[1:2:]',
  '$..[0]',
  "$['\\u0041']",
  "$['\\'']",
  'a b',
  'a\nb',
  '\u{1F600}.x',
  '$.\u00E9',
  'a(b)',
  "a'b",
  '1.2',
  'a..b',
  '',
  '.',
  'a.',
  '.a',
  'a\\',
  '#(a)',
  'a.#(b)',
  '#().a',
  '$.',
  '$..',
  '$[',
  '$[]',
  '$[01:]',
  '$[-0]',
  '$[::0]',
  '$[a]',
  '$.a b',
  '$.a\u00A0b',
  '$.a[?(@.b)]',
  "$['a]",
  "$['\\u12']",
  '$x.#(a)',
];

const VALID_POLICIES: readonly Values[] = [
  ...['$', '$$', '$5', '{$'].map((owner) => ({ metadata: { owner } })),
  { metadata: { DRY_RUN: 'rows.#.id', 'dry-runs': 'x', runDry: 'x', dr: 'x', '': 'x' } },
  { for: { claims: { "$['https:region']": ['a'], '$.roles[*]': ['b'], '$[0].a-b': ['true', '1'] } } },
  ...[' Filter', '\u2003FILTER\u00A0'].map((action) => ({ action, properties: undefined, effect: 'denied' })),
  { action: { name: 'Own', value: 'MASK' }, effect: 'denied' },
  { assets: { type: 'a', ids: 'all' }, effect: 'allowed', priority: 1 },
  ...['${entityId}', '${claims.region}', "${claims['https:region'][0]}", '$', ''].map((value) =>
    when({ values: [value] }),
  ),
  when({ type: 'INTEGER', values: [1, '-5', '5.0', '1e3', '${entityId}'] }),
  when({ type: 'INTEGER', values: 5 }),
  when({ type: 'INTEGER', operator: 'starts_with', values: ['abc', 'x'] }),
  when({ type: 'NUMBER', values: [1.5, '-0.5e-3', '0'] }),
  when({ type: 'BOOLEAN', operator: 'NOT_IN', values: [true, 'FALSE', 'True'] }),
  when({ type: 'BOOLEAN', operator: 'CONTAINS', values: 'r' }),
  when({ type: 'DATE', operator: 'LESS', values: ['2026-01-31', '2026-01-31T09:30', '+12026-01-31'] }),
  when({ type: 'DATETIME', values: '2026-01-31T09:30:00.5+01:00' }),
  { action: 'value( {"a":[1,"]}"]} )' },
  { action: 'value("a::last(4)")' },
  { action: { name: 'Own', value: 'a::b' } },
];

const VALID_CONFIGURATIONS: readonly Values[] = [
  route({ pass: true, vendor: null, refuse: false, methods: ['GET', 'M-SEARCH'] }),
  route({ pass: false, vendor: {}, parameters: { root: '$.a[*]', calculationType: 'resolution' } }),
  route({ parameters: { calculationType: 'context', assetId: 'a.b', protectedObject: 'c' } }),
  {
    ...route({ vendor: { id: 'a${method} $${path}$', list: ['${headers.x-user}', 1, null, true] } }),
    trustedHeaders: ['x-user'],
  },
  { extProc: { port: 1 }, otherwise: { vendor: { id: '${claims.$.sub}', other: "${claims['a b'][0]}" } } },
  { identity: { jwt: { issuer: 'x', audience: 'a', jwksUri: 'https://idp/keys' } } },
  ...['/v1/traces@', '/?', '/#', '?#'].map((rest) => ({
    tracing: { endpoint: `http://collector:4318${rest}` },
  })),
  ...['::', 'fe80::1%eth0', '::ffff:192.0.2.1', '0.0.0.0', 'masking.local'].map((host) => ({ host })),
  { maskKeys: { 'A-b_1': { file: 'key' } } },
  ...[
    '[::]',
    '[1:2:3:4:5:6:7:8]',
    '[1::]',
    '[::ffff:1.2.3.4]',
    '[1:2::7:255.0.9.10]',
    '[1:2:3:4:5:6:7::]',
  ].map((host) => ({ pdpUrl: `http://${host}:80`, host: host.slice(1, -1) })),
  ...['http://localhost:5001', 'http://localhost.bank:5002', '127.0.0.1:50020'].map((pdpUrl) => ({ pdpUrl })),
  {
    ...authzen(
      { path: "$['/a']", action: 'value("FILTER")' },
      { path: 'a', action: ' Last( 4 ) ' },
      { path: 'b', action: 'hash(k)' },
      { path: 'c' },
    ),
    maskKeys: { k: { file: 'key' } },
    pdpContext: { vendors: 2 ** 53 },
  },
  { pdpProtocol: 'opa', pdpUrl: 'http://opa/v1/data/a', pdpHeaders: ["x_!#$%&'*+.^`|~9"] },
  route({ vendor: { id: [2 ** 53 - 1, -1.5] } }),
  route({
    nonJson: 'pass',
    parameters: { calculationType: null, assetType: 'a', maskString: 'é'.repeat(256) },
  }),
];

describeChart('What the service takes', () => {
  it('is any path that it can parse, for the chart as well, and no other', () => {
    const wrong = PATHS.flatMap((written, index) => (isPath(written) ? [] : [index]));
    const told = refusalOfChart({}, fileWith({ properties: PATHS }));
    const places = [...told.matchAll(/properties\/(\d+)': /g)].map(([, index]) => Number(index));
    expect(lodash.sortBy(lodash.uniq(places))).toEqual(wrong);
  });

  it('is taken by the chart in policies', async () => {
    const file = {
      policies: VALID_POLICIES.map((change, i) => Object.assign({}, POLICY, change, { name: `Policy ${i}` })),
    };
    expect(await isTakenByService({}, file)).toBe(true);
    expect(refusalOfChart({}, file)).toBe('');
    expect(refusal({ pdp: { policies: file } }, { chart: 'policy-agent' })).toBe('');
  });

  it.each(VALID_CONFIGURATIONS)('is taken by the chart in the configuration: %j', async (change) => {
    const config = { pdpUrl: 'pdp:8080', ...change };
    expect(await isTakenByService(config)).toBe(true);
    expect(refusalOfChart(config)).toBe('');
  });

  it('is a hash with a key that the configuration names, or that an existing ConfigMap may name', async () => {
    const file = fileWith({ action: 'hash(k)' });
    const maskKeys = { k: { file: 'key' } };
    expect(await isTakenByService({ maskKeys }, file)).toBe(true);
    expect(refusalOfChart({ maskKeys }, file)).toBe('');
    expect(refusal({ config: { port: 5002 }, existingConfigMap: 'own', policies: file })).toBe('');
    expect(refusal({ pdp: { policies: file } }, { chart: 'policy-agent' })).toBe('');
  });

  it.each(readdirSync('examples/policies').filter((name) => !name.endsWith('_test.yaml')))(
    'is taken by the chart in the example %s',
    async (name) => {
      const file: unknown = parse(readFileSync(path.join('examples/policies', name), 'utf8'));
      expect(await isTakenByService({}, file)).toBe(true);
      // Secrets are refused in a ConfigMap, whatever else there is.
      expect(refusalOfChart({}, file)).toMatch(
        /^$|1 problem in the values\n {2}- .*clientSecret must not be/,
      );
    },
  );
});
