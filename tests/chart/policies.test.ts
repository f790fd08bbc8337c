import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import { problems, refusal, render, type ChartName, type Values } from './support/helm.ts';
import { policiesIn } from './support/manifest.ts';
import { parsePolicyText } from '../../src/pdp/protocols/embedded/index.ts';
import { ACTIONS } from '../../src/core/index.ts';
import { problemWithAction, problemWithLiteral } from '../../src/pdp/policies/index.ts';
import { describeChart } from './support/tools.ts';

const FOLDER = 'examples/policies';
const EXAMPLES = readdirSync(FOLDER)
  .filter((name) => !name.endsWith('_test.yaml'))
  .filter((file) => file.endsWith('.yaml'));

const POLICY = policyWith('MASK');
function policyWith(action: unknown, name = 'Numbers'): Values {
  const text = String(typeof action === 'string' ? action : lodash.get(action, 'value'));
  const filters = text.trim().toLowerCase() === 'filter';
  return { name, ...(!filters && { properties: ['ssn'] }), action };
}

const COMPARISON = { attribute: 'country', operator: 'EQUALS', values: ['US'] };

/** What stops an installation with one policy that differs from a right one. */
function refused(change: Values): string {
  return refusal(withPolicies({ policies: [{ ...POLICY, ...change }] }));
}

function withPolicies(policies: unknown): Values {
  return { config: { port: 5002, attrName: 'column', object: 'table' }, policies };
}

const UNREADABLE = [
  'last(4',
  'last(x)',
  'edges(2,)',
  'mask()',
  'filter(1)',
  'null',
  'hash',
  'hash( )',
  'round(0)',
  'round(-1)',
  'last 4',
  'round 10',
  'bucket()',
  'bucket(1,,2)',
  'email(name)',
  'card(4)',
  'value()',
  'ma\u017Fk',
  'la\u017Ft4',
  'last(4, ab)',
  `last(4${' '.repeat(200)})`,
  'round(1e400)',
  'round(1e-400)',
  `round(${'1'.repeat(101)})`,
  `value([1e400 ${'1'.repeat(400)}])`,
];

const UNREADABLE_AS_LITERALS = [
  'last(4',
  'last4()',
  'LAST (x)',
  'round()',
  'filter()',
  '1 :: MASK',
  'mask(',
  'round(1e400)',
];

/** With spaces that Go and JavaScript count differently. */
const READABLE = [
  ' Mask\u00A0',
  '\u2003filter',
  'last',
  'last4',
  'LAST4 ',
  'last(4)',
  'LAST ( 4 , \u{1F600} )',
  '\uFEFFMASK\u000B',
  'mas\u212A',
  'last(4, e\u0301)',
  'last(4, ))',
  `last(4)${' '.repeat(200)}`,
  `round(${'1'.repeat(100)})`,
  'value(1e400)',
  'value([-1e-4000, "\\u1e123", "\\u0e1234"])',
  `value(${'1'.repeat(400)})`,
  'last(4, \u{1F469}\u200D\u{1F4BB})',
  'middle(, x)',
  'edges()',
  'first\u00A0(2)',
  ...['remove', 'null', 'empty', 'card', 'shape', 'year', 'month', 'email'].map((name) => `${name}()`),
  'Email( DOMAIN )',
  'value("a(b)")',
  'value({\n"a": [1, 2]\n})',
  'round(0.050)',
  'round(25e-2)',
  'bucket( -1.5 , 0, 1E3 )',
  'hash(customer ids)',
  ...ACTIONS.map(({ row }) => row.example.action),
];

const READABLE_AS_LITERALS = [
  ...READABLE,
  'gone',
  'null',
  'hash',
  'Last 4',
  'round (3)',
  'at last (4',
  'ma\u017Fk',
  '\uFB01lter',
  '(last(4)',
  'a::b',
];

const scope = { clientId: 'a', jwt: { jwks: 'keys.json' } };

describeChart('A mistake in the policies', () => {
  it.each<[Values, string]>([
    [{ propertys: ['ssn'] }, "'propertys' not allowed"],
    [{ name: '' }, "'/policies/policies/0/name': minLength"],
    [{ name: 'x'.repeat(101) }, "'/policies/policies/0/name': maxLength"],
    [{ properties: [] }, "'/policies/policies/0/properties': minItems"],
    ...['cards[0]', ' ssn', '/ssn', 'ssn,name', '@.ssn'].map((name): [Values, string] => [
      { properties: [name] },
      `'/policies/policies/0/properties/0': '${name}' does not match`,
    ]),
    [{ properties: ['all'] }, '/policies/policies/0/properties'],
    [{ properties: 'al' }, "'/policies/policies/0/properties': value must be 'all'"],
    [{ action: 'MAKS' }, "'/policies/policies/0/action': 'MAKS' does not match"],
    [{ action: true }, "'/policies/policies/0/action': got boolean"],
    [{ action: { name: 'Set' } }, "missing property 'value'"],
    [{ effect: 'denyed' }, "'/policies/policies/0/effect': value must be one of"],
    [{ priority: -1 }, "'/policies/policies/0/priority': minimum"],
    [{ priority: 1e15 }, "'/policies/policies/0/priority': maximum"],
    [{ priority: '1::' }, "'/policies/policies/0/priority': '1::' does not match"],
    [{ when: [] }, "'/policies/policies/0/when': got array"],
    [{ when: lodash.omit(COMPARISON, 'values') }, "missing property 'values'"],
    [
      { when: { ...COMPARISON, operator: 'EQUAL' } },
      "'/policies/policies/0/when/operator': 'EQUAL' does not",
    ],
    [{ when: { ...COMPARISON, type: 'TEXT' } }, "'/policies/policies/0/when/type': value must be one of"],
    [{ when: { all: [{ any: [{ ...COMPARISON, value: 1 }] }] } }, "'/policies/policies/0/when/all/0/any/0'"],
    [{ for: { entityType: ['clerk'] } }, "'entityType' not allowed"],
    [{ except: [{ claims: 'role' }] }, "'/policies/policies/0/except/0/claims': got string"],
    [{ assets: { type: 'account' } }, "missing property 'ids'"],
    [{ metadata: { DRY_RUN: '\u00A0id' } }, "'/policies/policies/0/metadata/DRY_RUN': '"],
    [
      { metadata: JSON.parse('{ "__proto__": "a" }') },
      'policies has the key __proto__, which is not allowed',
    ],
    [
      { effect: 'denied', action: { name: 'Set', value: 'ma\u017Fk' } },
      "'/policies/policies/0/action/value'",
    ],
    [{ action: { name: 'Set', value: 'la\u017Ft(4)' } }, 'policies.policies[0].action.value cannot be read'],
    [{ metadata: { DRY_RUN: true } }, "'/policies/policies/0/metadata/DRY_RUN': got boolean"],
    // Helm also writes these of `00017`, `NO` and `9007199254740993`.
    [{ for: { entityIds: [17] } }, "'/policies/policies/0/for/entityIds/0': got number, want string"],
    [
      { when: { ...COMPARISON, values: [false] } },
      "'/policies/policies/0/when/values/0': got boolean, want string",
    ],
    [
      { when: { ...COMPARISON, type: 'NUMBER', values: 9_007_199_254_740_992 } },
      "'/policies/policies/0/when/values': maximum: got ",
    ],
    [{ for: { claims: { '$.country': [false] } } }, "/for/claims/$.country/0': got boolean, want string"],
  ])('stops the installation: %j', (change, words) => {
    expect(refused(change)).toContain(words);
  });

  it('stops the installation for each action that cannot be read, in the words of the embedded PDP', () => {
    const actions = [...UNREADABLE, ...UNREADABLE_AS_LITERALS.map((value) => ({ name: 'Set', value }))];
    const policies = actions.map((action, index) => policyWith(action, `Numbers ${index}`));
    expect(problems(withPolicies({ policies }))).toEqual(
      actions.map((action, index) =>
        typeof action === 'string'
          ? `policies.policies[${index}].action ${problemWithAction(action)?.replace(/; the nearest one.*$/u, '')}`
          : `policies.policies[${index}].action.value ${problemWithLiteral(action.value)}`,
      ),
    );
    const ofAgent = { pdp: { policies: { policies } } };
    expect(problems(ofAgent, { chart: 'policy-agent' })).toHaveLength(actions.length);
  });

  it('stops the installation for the name beside an empty value, which then counts', () => {
    const action = { name: 'last(4', value: ' ' };
    const problem = `action.name ${problemWithLiteral(action.name)}`;
    const policies = [policyWith(action)];
    expect(problems(withPolicies({ policies }))).toEqual([`policies.policies[0].${problem}`]);
    expect(problems({ pdp: { policies: { policies } } }, { chart: 'policy-agent' })).toEqual([
      `pdp.policies.policies[0].${problem}`,
    ]);
    expect(refused({ action: { name: 'filter', value: '' } })).not.toBe('');
    expect(refused({ action: { name: 'Set', value: '' }, effect: 'denied' })).not.toBe('');
  });

  it('is not seen in any spelling of an action or a literal that the embedded PDP takes', () => {
    const actions = [...READABLE, ...READABLE_AS_LITERALS.map((value) => ({ name: 'Set', value }))];
    expect(READABLE.map((action) => problemWithAction(action))).toEqual(READABLE.map(() => undefined));
    expect(READABLE_AS_LITERALS.map((value) => problemWithLiteral(value))).toEqual(
      READABLE_AS_LITERALS.map(() => undefined),
    );
    const policies = actions.map((action, index) => policyWith(action, `Numbers ${index}`));
    // The configuration in it may name any keys.
    expect(refusal({ config: { port: 5002 }, existingConfigMap: 'own', policies: { policies } })).toBe('');
    expect(refusal({ pdp: { policies: { policies } } }, { chart: 'policy-agent' })).toBe('');
  });

  it.each([
    [{}, ''],
    [null, ''],
    [[], "'/policies': got array"],
    [{ policies: [] }, "'/policies/policies': minItems"],
    [{ policy: [POLICY] }, "missing property 'policies'"],
    [{ policies: [POLICY], scopes: [{ jwt: scope.jwt }] }, "missing property 'clientId'"],
    [{ policies: [POLICY], scopes: [{ ...scope, jwt: { jwks: 1, issuers: 'a' } }] }, "'issuers' not allowed"],
    [
      {
        policies: [POLICY],
        scopes: [{ ...scope, jwt: { ...scope.jwt, issuer: 'a', audience: 'b', clockTolerance: '301' } }],
      },
      "'/policies/scopes/0/jwt/clockTolerance': '301' does not match",
    ],
    [{ policies: [POLICY], tokenValidity: 1e15 }, "'/policies/tokenValidity': maximum"],
    [
      { policies: [POLICY], mappers: { account: {} } },
      'policies.mappers.account is an asset type that no policy is for',
    ],
    [{ policies: [POLICY], tokenValidity: 1.5 }, "'/policies/tokenValidity': got number"],
    [{ policies: [POLICY], mappers: { columns: { a: { ssn: [] } } } }, "/mappers/columns/a/ssn': got array"],
    [{ policies: [POLICY], mappers: { columns: { a: { false: 'ssn' } } } }, "/mappers/columns/a/false': "],
  ])('stops the installation as a part of the file: %j', (policies, words) => {
    const values = { ...withPolicies(policies), config: { port: 5002, pdpUrl: 'pdp:8080' } };
    const error = refusal(words === '' ? values : withPolicies(policies));
    expect(words === '' ? error : error.includes(words)).toEqual(words === '' ? '' : true);
  });

  it.each<Values>([
    { action: 'mask', priority: 3 },
    { action: 'last(4, *)' },
    { action: 'Edges (2)' },
    { action: 'first4' },
    { action: { name: 'Set', value: 'gone' }, priority: '3' },
    { properties: 'all' },
    { effect: 'denied', action: '\u00A0Mask\v' },
    { effect: 'denied', for: { entityIds: ['jane', '17'] }, except: [{ entityTypes: ['clerk'] }] },
    {
      when: {
        all: [
          COMPARISON,
          { any: [{ ...COMPARISON, operator: 'not_in', values: ['1', 'true', '${entityId}'] }] },
        ],
      },
    },
    { when: { ...COMPARISON, operator: 'Greater_Equals', type: 'NUMBER', values: [1.5], match: 'ALL' } },
    { when: { ...COMPARISON, operator: 'STARTWITH' } },
    { for: { claims: { '$.role': ['clerk', 'true'] } }, assetType: '7' },
    { when: { ...COMPARISON, type: 'BOOLEAN', values: [true] } },
    { metadata: { DRY_RUN: 'id', owner: 'x' } },
    { properties: undefined, action: 'FILTER' },
    { properties: undefined, action: { name: ' Filter', value: '' } },
    { action: { name: 'Blank', value: '' } },
    { action: { name: 'MASK', value: ' ' }, effect: 'denied' },
  ])('is not seen in what the embedded PDP takes: %j', (change) => {
    expect(refused(change)).toBe('');
  });

  it.each(EXAMPLES)('is not seen in the example %s', (file) => {
    const policies: unknown = parse(readFileSync(path.join(FOLDER, file), 'utf8'));
    // Secrets are refused in a ConfigMap, whatever else there is.
    expect(refusal(withPolicies(policies))).toMatch(/^$|clientSecret must not be in a ConfigMap/);
  });

  it('stops the installation of the agent', () => {
    const wrong = { pdp: { policies: { policies: [{ ...POLICY, action: 'MAKS' }] } } };
    expect(refusal(wrong, { chart: 'policy-agent' })).toContain("'/pdp/policies/policies/0/action'");
    const named = { policies: withPolicies({ policies: [{ ...POLICY, nam: 'a' }] })['policies'] };
    expect(
      refusal({ 'authz-jsonmasking': { enabled: true, ...named } }, { chart: 'policy-agent' }),
    ).toContain("'nam' not allowed");
  });
});

describeChart('Texts in lists of policies', () => {
  // Helm breaks long texts at blanks, without quotes.
  const long = [78, 81, 200].map((length) => `${'word '.repeat(length).slice(0, length)}end`);

  it.each<[string, ChartName, readonly string[]]>([
    ['of more than 80 columns', 'authz-jsonmasking', [...long, '1 < 2 & "3"', '007']],
    ['of more than 80 columns', 'policy-agent', [...long, '1 < 2 & "3"', '007']],
    ['with a byte order mark', 'authz-jsonmasking', [...long, '\uFEFF']],
    ['with a byte order mark', 'policy-agent', [...long, '\uFEFF']],
    ['with a line break at the end', 'authz-jsonmasking', ['end\n']],
    ['with a line break at the end', 'policy-agent', ['end\n']],
    ['with two line breaks at the end', 'authz-jsonmasking', ['end\n\n']],
    ['with two line breaks at the end', 'policy-agent', ['end\n\n']],
  ])('reach the PDP as they are: %s, %s', (_, chart, listed) => {
    const policies = { policies: [{ ...POLICY, when: { ...COMPARISON, values: listed } }] };
    const values = chart === 'policy-agent' ? { pdp: { policies } } : withPolicies(policies);
    const maps = render(values, { chart }).filter(({ kind }) => kind === 'ConfigMap');
    const [text = ''] = maps.filter(({ data }) => JSON.stringify(data).includes('end')).map(policiesIn);
    const read = parsePolicyText(text, 'policies.yaml');
    expect(read.policies.map(({ when }) => lodash.get(when, 'values'))).toEqual([listed]);
  });
});
