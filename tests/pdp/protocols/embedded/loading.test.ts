import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateKeyPair, exportJWK } from 'jose';
import { describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../../src/yaml/problem.ts';
import { loadPolicyFile } from '../../../../src/pdp/protocols/embedded/policy-file/load.ts';
import { parsePath } from '../../../../src/core/paths/parse.ts';
import { readAnswer } from '../../../../src/pdp/decisions/resolution/answer-text.ts';
import { ask, policiesFrom } from './ask.ts';

/** The problems of a policy file, each as `line: key message`. */
function problemsOf(yaml: string, otherFiles: Readonly<Record<string, string>> = {}): string[] {
  try {
    policiesFrom(yaml, otherFiles);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ line, key, message }) =>
      [`${line}:`, key, message].filter(Boolean).join(' '),
    );
  }
}

/** A policy on the second line that is right but for these members. */
function policy(members: string): string {
  const defaults = { name: 'P', properties: '[v]', action: 'MASK' };
  const rest = Object.entries(defaults).filter(([key]) => !new RegExp(`(^|, )${key}:`).test(members));
  const all = [...rest.map(([key, value]) => `${key}: ${value}`), members].filter(Boolean);
  return `policies:\n  - { ${all.join(', ')} }`;
}

const RIGHT = policy('');

const PATH = 'a path that begins with # in quotes, and a space after the # of a comment.';

describe('a file that is not YAML of the kind that is read', () => {
  test.each([
    ['broken', 'policies: "P', /^1: The text in quotes is not closed; " is missing\.$/],
    [
      'with a key that occurs twice',
      `tokenValidity: 1\n${RIGHT}\ntokenValidity: 2`,
      /^4: tokenValidity is given twice; the first is on line 1$/,
    ],
    [
      'with a key that occurs twice in a policy',
      `${RIGHT}\n  - name: Q\n    properties: [v]\n    action: MASK\n    action: last4`,
      /^6: action is given twice; the first is on line 5$/,
    ],
    [
      'with a secret in place of a key that occurs twice',
      `${RIGHT}\nsecret:hunter2: 1\nsecret:hunter2: 2`,
      /^4: secret… is given twice; the first is on line 3$/,
    ],
    [
      'with an alias',
      `${RIGHT}\nobject: *a`,
      /^3: object is a YAML alias, which is not allowed; put a value that begins with \* in quotes$/,
    ],
    [
      'with an anchor',
      `attrName: &a column\n${RIGHT}`,
      /^1: attrName is a YAML anchor, which is not allowed; put a value that begins with & in quotes$/,
    ],
    ['with a tag', `tokenValidity: !!int 1\n${RIGHT}`, /^1: A tag is not known\.$/],
    ...[
      '!!str column',
      '!!bool true',
      '! column',
      '! "column"',
      '!<tag:yaml.org,2002:str> x',
      '!!seq []',
    ].map(
      (value) =>
        [
          `with the tag of ${value}`,
          `attrName: ${value}\n${RIGHT}`,
          /^1: A YAML tag \(!\) is not allowed/,
        ] as const,
    ),
    ['with a tag on a key', `!!str attrName: column\n${RIGHT}`, /^1: A YAML tag \(!\) is not allowed/],
    ['with a tag on a map', `${RIGHT}\nmappers: !!map {}`, /^3: A YAML tag \(!\) is not allowed/],
    [
      'that nests too deeply',
      `${RIGHT}\nmappers: ${'['.repeat(800)}${']'.repeat(800)}`,
      /^3: The text nests too deeply\.$/,
    ],
    ['of two documents', `${RIGHT}\n---\n${RIGHT}`, /^3: A second document begins/],
    ['with a key that sets prototypes', `${RIGHT}\n__proto__: {}`, /^3: The key __proto__ is not allowed\.$/],
  ])('is refused: %s', (_, yaml, problem) => {
    expect(problemsOf(yaml)).toEqual([expect.stringMatching(problem)]);
  });

  test.each([
    ['empty', '', 'is empty: it must be'],
    ['a comment', '# policies', 'is empty: it must be'],
    ['a list', '- 1', 'must be'],
    ['a text', 'policies', 'must be'],
  ])('is refused: %s', (_, yaml, must) => {
    const keys =
      'attrName, object, assetType, tokenValidity, trustUnverifiedClaims, maskShort, scopes, mappers, policies, tests';
    expect(problemsOf(yaml)).toEqual([`1: ${must} a map with the keys ${keys}`]);
  });

  test('does not have its text quoted', () => {
    const secret = 'scopes: [{ clientId: a, clientSecret: @s3cret }]';
    expect(problemsOf(`${secret}\n${RIGHT}`).join()).not.toContain('s3cret');
    expect(problemsOf(`scopes: [{ clientId: a, clientSecret: *s3cret }]\n${RIGHT}`).join()).not.toContain(
      's3cret',
    );
  });

  test('is refused with its name: one that is not there, and one that is not UTF-8', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'policies-'));
    const file = path.join(directory, 'policies.yaml');
    expect(() => loadPolicyFile(file)).toThrow(`${file} cannot be read: it does not exist`);
    expect(() => loadPolicyFile(directory)).toThrow(`${directory} cannot be read: it is a folder`);
    writeFileSync(file, new Uint8Array([0xff]));
    expect(() => loadPolicyFile(file)).toThrow(`${file} cannot be read: it is not UTF-8 text`);
    rmSync(directory, { recursive: true });
  });
});

describe('an element of a list that continues on the next line', () => {
  const SPLIT =
    'continues on the next line; put a dash or a comma before the next element, or quotes around one text of several lines';

  test.each([
    ['properties:\n      - ssn\n        name\n      - v', '4: policies[0].properties[0]'],
    ['properties: [v, ssn\n      name]', '3: policies[0].properties[1]'],
    ['properties:\n      - ssn # a comment\n      - v\n\n        name', '5: policies[0].properties[1]'],
  ])('is refused without quotes: %j', (properties, place) => {
    const text = `policies:\n  - name: P\n    ${properties}\n    action: MASK`;
    expect(problemsOf(text)).toEqual([`${place} ${SPLIT}`]);
  });

  test.each([
    'properties:\n      - "first\n        name"',
    'properties:\n      - first name\n\n      # a comment\n      - v\n',
    'properties: [\n      v,\n      first name\n      ]',
    'properties: [v]\n    metadata: { note: a long\n      text }',
  ])('is right in quotes, and so are the others: %j', (members) => {
    expect(problemsOf(`policies:\n  - name: P\n    ${members}\n    action: MASK`)).toEqual([]);
  });
});

describe('a path that begins with a character of YAML', () => {
  const ALIAS = 'is a YAML alias, which is not allowed; put a value that begins with * in quotes';

  test('is named with its key, if that is *', () => {
    const written = `${RIGHT}\n  - name: Q\n    properties: [*.ssn]\n    when: { all: [{ attribute: *.a }, *] }`;
    expect(problemsOf(written)).toEqual([
      `4: policies[1].properties[0] ${ALIAS}`,
      `5: policies[1].when.all[0].attribute ${ALIAS}`,
      `5: policies[1].when.all[1] ${ALIAS}`,
    ]);
    expect(problemsOf(policy('properties: [*]'))).toEqual([`2: policies[0].properties[0] ${ALIAS}`]);
  });

  test.each([
    ['    properties: [#.number]', 4, 'a value that begins with # in quotes.'],
    ['    properties: [v, #.number]', 4, 'a value that begins with # in quotes.'],
    ['    properties:\n      - #.number', 5, PATH],
    ['    properties: [v,\n      #.number,\n      w]', 5, PATH],
    ['    properties:\n      - v\n      #.number', 6, PATH],
    ['    properties: [v]\n    object: #.a', 5, PATH],
  ])('is a comment, if that is #: %j', (members, line, put) => {
    const problems = problemsOf(`${RIGHT}\n  - name: Q\n${members}\n    action: MASK`);
    expect(problems).toEqual([`${line}: # begins a comment here; put ${put}`]);
  });

  test('is a comment, if it is # alone', () => {
    expect(problemsOf(`${RIGHT}\n  - name: Q\n    action: MASK\n    properties:\n      - #`)).toEqual([
      '6: policies[1].properties[0] is empty: it must be text; # begins a comment: put text that begins with # in quotes',
    ]);
  });

  test.each([
    '[v] # a comment',
    '[v] #a comment',
    '[v] #...',
    '[v] # not #.number',
    "['#.number']",
    '[a#.b]',
  ])('is not meant by %s', (properties) => {
    const members = `name: Q\n    action: MASK\n    properties: ${properties}`;
    expect(problemsOf(`${RIGHT}\n  - ${members}`)).toEqual([]);
  });
});

describe('a file with problems', () => {
  test('is refused with all of them at once, in the order of their lines', () => {
    const yaml = `
attrNam: column
tokenValidity: soon
policies:
  - name: P
    action: maks
    properties: [a..b]
    when:
      any:
        - { attribute: s, operator: EQUAL, values: [x] }
        - { attribute: s, operator: LESS, type: DATE, values: [2024-13-01], macht: ALL }
  - name: P
    properties: [v]
    action: MASK
    priority: -1
mappers:
  colums: { m: { v: w } }
  columns: { n: { v: '' } }`;
    expect(problemsOf(yaml)).toEqual([
      '2: attrNam is not a known key; the nearest one is attrName',
      '3: tokenValidity must be a whole number, not negative',
      '6: policies[0].action must be MASK, FILTER or a mask such as last(4), or { name, value } to set a value; the nearest one is MASK',
      '7: policies[0].properties[0] is not a path: an empty property name at character 3 of the path',
      expect.stringMatching(
        /^10: policies\[0\]\.when\.any\[0\]\.operator must be one of .*; the nearest one is EQUALS$/,
      ),
      '11: policies[0].when.any[1].macht is not a known key; the nearest one is match',
      '11: policies[0].when.any[1].values[0] must be a date such as 2026-01-31',
      '12: policies[1].name is used above already, and must be unique',
      '15: policies[1].priority must be a whole number, not negative',
      '17: mappers.colums is an asset type that no policy is for; the nearest one is columns',
      '18: mappers.columns.n.v must not be empty',
    ]);
  });

  test('has them in a message for a terminal', () => {
    expect(() => policiesFrom('policies: []')).toThrow(
      /policies\.yaml: 1 problem\n {2}line 1: policies must have at least one element$/,
    );
  });

  test('has only the first in a message if there are very many, and how many more there are', () => {
    const yaml = `policies:${'\n  - { name: P, properties: [v], action: MASK, priority: -1 }'.repeat(120)}`;
    expect(() => policiesFrom(yaml)).toThrow(
      /policies\.yaml: 239 problems\n(?: {2}line .*\n){99} {2}line 52: policies\[50\]\.priority must be a whole number, not negative\n {2}and 139 more$/,
    );
    expect(problemsOf(yaml)).toHaveLength(239);
  });

  test('has how many more there are also if that is one', () => {
    const yaml = `policies:${'\n  - { name: P, properties: [v], action: MASK }'.repeat(102)}`;
    expect(() => policiesFrom(yaml)).toThrow(/: 101 problems\n(?: {2}line .*\n){100} {2}and 1 more$/);
  });

  test('is refused with one problem if it is a configuration', () => {
    expect(problemsOf('log: { level: info }\nport: 1\npolicyFile: policies.yaml')).toEqual([
      '2: port is not a key of a policy file. This is a configuration of the service: give it with -c, and the policy file that it names as policyFile with -p.',
    ]);
  });

  test('is refused without policies: it would show everything', () => {
    const keys = ['1: policies is missing: it must be a list'];
    expect(problemsOf('tokenValidity: 1')).toEqual(keys);
  });
});

const NOT_FILLED_IN = 'must not have ${, because nothing is filled in here';

const BRACE =
  "has a brace or a quote, and nothing in paths is replaced; write customer.ssn, and $['{a}'] for a property whose name has one";

const REFERENCE =
  "values[0] must be text, ${entityId}, or a claim such as ${claims.region} or ${claims['https:region']}";

describe('a policy is refused', () => {
  test.each([
    ['name: true', 'name must be text; put it in quotes'],
    [`name: ${'n'.repeat(101)}`, 'name must have at most 100 characters'],
    ['assetType: []', 'assetType must be text'],
    ['efect: denied', 'efect is not a known key; the nearest one is effect'],
    ['effect: deny', 'effect must be one of allowed, denied'],
    ['for: {}', 'for must name at least one of entityIds, entityTypes, claims'],
    ['for: []', 'for must have at least one element'],
    ['for: everyone', 'for must be a map with the keys entityIds, entityTypes, claims'],
    ['for: { claims: {} }', 'for.claims must name at least one claim'],
    ['except: { claims: {} }', 'except.claims must name at least one claim'],
    ['except: [{ entityIds: [a] }, { claims: {} }]', 'except[1].claims must name at least one claim'],
    ['for: { claims: { $.a: [] } }', 'for.claims.$.a must have at least one element'],
    ['for: { claims: { $.a: [""] } }', 'for.claims.$.a[0] must not be empty'],
    ['for: { entityIds: ["${entityId}"] }', `for.entityIds[0] ${NOT_FILLED_IN}`],
    ['for: { claims: { $.a: ["x${claims.b}"] } }', `for.claims.$.a[0] ${NOT_FILLED_IN}`],
    ['assets: { type: T, ids: ["${entityId}"] }', `assets.ids[0] ${NOT_FILLED_IN}`],
    ['action: { name: SET, value: "for ${entityId}" }', `action.value ${NOT_FILLED_IN}`],
    ['metadata: { DRY_RUN: "${entityId}" }', `metadata.DRY_RUN ${NOT_FILLED_IN}`],
    ['for: [{ entityIds: [] }]', 'for[0].entityIds must have at least one element'],
    ['for: { entityId: [a] }', 'for.entityId is not a known key; the nearest one is entityIds'],
    ['except: { entityTypes: [{}] }', 'except.entityTypes[0] must be text'],
    ['for: { claims: { $.a: [null] } }', 'for.claims.$.a[0] must be text, a number, true or false'],
    ['for: { claims: { $.a: x } }', 'for.claims.$.a must be a list'],
    ['properties: some', 'properties must be a list of properties, or all'],
    ['properties: []', 'properties must have at least one element'],
    ['object: a..b', 'object is not a path: an empty property name at character 3 of the path'],
    ['action: 3::MASK', 'action has a priority in front; give it as the priority of the policy'],
    ...['3::x', '" 3::x"', '3 ::x', '"3::"'].map((value): [string, string] => [
      `action: { name: SET, value: ${value} }`,
      'action.value has a priority in front; give it as the priority of the policy',
    ]),
    ['action: { name: SET }', 'action.value is missing: it must be text'],
    ['action: { value: "" }', 'action.name is missing: it must be text'],
    ['action: { name: SET, value: false }', 'action.value must be text; put it in quotes'],
    ['priority: 1.5', 'priority must be a whole number, not negative'],
    ['priority: 9007199254740993', 'priority must be a whole number, not negative'],
    ...['true', 'FALSE'].map((flag): [string, string] => [
      `metadata: { DRY_RUN: "${flag}" }`,
      'metadata.DRY_RUN must be the property that identifies a record, such as id; without it, the policy is enforced',
    ]),
    ...['${entityId}', '${claims.region}'].map((reference): [string, string] => [
      `when: { attribute: "${reference}", operator: IN, values: [x] }`,
      `when.attribute ${BRACE}`,
    ]),
    ['metadata: { dryRun: id }', 'metadata.dryRun is not a known key; the nearest one is DRY_RUN'],
    ['metadata: [DRY_RUN]', 'metadata must be a map'],
    ['when: { al: [] }', 'when.al is not a known key; the nearest one is all'],
    ['when: { all: [{ anny: [x] }] }', 'when.all[0].anny is not a known key; the nearest one is any'],
    [
      'when: [x]',
      'when must be a map with the key all or any, which has a list, or a map with the keys attribute, operator, type, values, match',
    ],
    [
      'action: null',
      'action is empty: it must be the name of an action, such as MASK, or a map with the keys name, value',
    ],
    ['when: {}', 'when.attribute is missing: it must be text'],
    ['when: { and: [{ attribute: s }] }', 'when.and is not a known key; write all'],
    ['when: { all: [{ OR: [] }] }', 'when.all[0].OR is not a known key; write any'],
    [
      'when: { not: { attribute: s } }',
      'when.not is not a known key; use an operator that negates, such as NOT_IN',
    ],
    ['property: [a]', 'property is not a known key; the nearest one is properties'],
    [
      'dryRun: id',
      'dryRun is not a known key; write metadata: { DRY_RUN: id } with the property that names a record in the place of id',
    ],
    ['when: { all: [] }', 'when.all must have at least one element'],
    ['when: { all: [{ any: [] }] }', 'when.all[0].any must have at least one element'],
    ['assets: { type: T }', 'assets.ids is missing: it must be a list'],
    ['assets: { type: T, ids: some }', 'assets.ids must be a list of identifiers, or all'],
    ['scopes: [a]', 'scopes[0] is not one of the scopes'],
  ])('for `%s`', (members, problem) => {
    expect(problemsOf(policy(members))).toContain(`2: policies[0].${problem}`);
  });

  test('for `when: { al: [...] }` with this problem alone', () => {
    const when = 'when: { al: [{ attribute: s, operator: IN, values: [x] }] }';
    expect(problemsOf(policy(when))).toHaveLength(1);
  });

  test.each([
    ['action: fist4', 'first(N)'],
    ['action: hash', 'hash(<key>)'],
    ['action: remove', 'remove()'],
    ['action: remov()', 'remove()'],
    ['action: MSAK', 'MASK'],
    ['action: FILTR', 'FILTER'],
  ])('for `%s`, which is no mask and would be a literal', (members, nearest) => {
    const expected = 'must be MASK, FILTER or a mask such as last(4), or { name, value } to set a value';
    const problem = `2: policies[0].action ${expected}; the nearest one is ${nearest}`;
    expect(problemsOf(policy(members))).toEqual([problem]);
  });

  test('for `action: hide`, which is near no mask, without a suggestion', () => {
    expect(problemsOf(policy('action: hide'))).toEqual([
      '2: policies[0].action must be MASK, FILTER or a mask such as last(4), or { name, value } to set a value',
    ]);
  });

  test.each([
    ['action: last(4', 'action', 'first(N), middle(N), last(N), edges(N)'],
    ['action: "last(4, ab)"', 'action', 'first(N), middle(N), last(N), edges(N)'],
    ['action: remove(1)', 'action', 'remove()'],
    ['action: email(user)', 'action', 'email(), email(domain)'],
    ['action: round(0)', 'action', 'round(n)'],
    ['action: "value({\\"a\\":1,\\"a\\":2})"', 'action', 'value(<json>)'],
    ['action: { name: SET, value: last(4 }', 'action.value', 'first(N), middle(N), last(N), edges(N)'],
    ['action: { name: last(4, value: "" }', 'action.name', 'first(N), middle(N), last(N), edges(N)'],
    ['action: { name: last(4, value: " " }', 'action.name', 'first(N), middle(N), last(N), edges(N)'],
  ])('for `%s`, which is neither an action nor a literal', (members, key, forms) => {
    expect(problemsOf(policy(members))).toEqual([
      `2: policies[0].${key} cannot be read (it must be ${forms})`,
    ]);
  });

  test('for an action after :: without a priority before it', () => {
    const problem = '2: policies[0].action has no number before ::';
    expect(problemsOf(policy('action: x::MASK'))).toEqual([problem]);
  });

  test('for a hash whose key the configuration does not have', () => {
    const yaml = policy('action: hash(k)');
    expect(() => policiesFrom(yaml, {}, new Set(['j']))).toThrow(
      'policies[0].action uses a key that maskKeys of the configuration does not name',
    );
    expect(() => policiesFrom(yaml, {}, new Set(['k']))).not.toThrow();
    expect(() => policiesFrom(yaml)).not.toThrow();
  });

  test.each([
    ['operator: IN, values: []', 'values must have at least one element'],
    ['operator: IN', 'values is missing: it must be a list'],
    ['operator: IN, values: null', 'values is empty: it must be a list'],
    ['operator: IN, values: {}', 'values must be a list'],
    ['operator: EQUALS, type: INTEGER, values: one', 'values[0] must be a whole number'],
    ['operator: EQUALS, type: BOOLEAN, values: 1', 'values[0] must be true or false'],
    ['operator: EQUALS, values: "x${entityId}"', REFERENCE.replace('[0]', '')],
    ['operator: IN, values: ["x${entityId}"]', REFERENCE],
    ['operator: IN, values: [" ${entityId}"]', REFERENCE],
    ['operator: IN, values: ["${entityId} "]', REFERENCE],
    ['operator: IN, values: ["${entityId}${entityId}"]', REFERENCE],
    ['operator: IN, values: ["$${entityId}"]', REFERENCE],
    ['operator: IN, values: ["x${claims.a}"]', REFERENCE],
    ['operator: IN, values: ["${"]', REFERENCE],
    ['operator: CONTAINS, values: [a, ""]', 'values[1] must not be empty: every text has an empty part'],
    ['operator: STARTS_WITH, values: ""', 'values[0] must not be empty: every text has an empty part'],
    ['operator: NOT_CONTAINS, values: [""]', 'values[0] must not be empty: every text has an empty part'],
    ['operator: ENDS_WITH, values: [""]', 'values[0] must not be empty: every text has an empty part'],
    ['operator: IN, values: [{}]', 'values[0] must be text'],
    ['operator: IN, values: [null]', 'values[0] must be text'],
    [
      'operator: IN, type: TEXT, values: [x]',
      'type must be one of STRING, INTEGER, NUMBER, BOOLEAN, DATE, DATETIME',
    ],
    ['operator: EQUALS, type: INTEGER, values: [1.5]', 'values[0] must be a whole number'],
    ["operator: EQUALS, type: INTEGER, values: ['05']", 'values[0] must be a whole number'],
    ['operator: EQUALS, type: NUMBER, values: [1, one]', 'values[1] must be a number'],
    ['operator: EQUALS, type: BOOLEAN, values: [yes]', 'values[0] must be true or false'],
    ['operator: LESS, type: DATE, values: [2024-02-30]', 'values[0] must be a date such as 2026-01-31'],
    [
      'operator: LESS, type: DATETIME, values: [soon]',
      'values[0] must be a date and time such as 2026-01-31T09:30:00Z',
    ],
    [
      'operator: LESS, type: BOOLEAN, values: [true]',
      'operator has no meaning for BOOLEAN, which has no order',
    ],
    ['operator: IN, values: [x], match: SOME', 'match must be one of ANY, ALL'],
    ['operator: IN, values: ["${entity}"]', REFERENCE],
    ['operator: IN, values: ["${claims}"]', REFERENCE],
    ['operator: IN, values: ["${claims[?(1)]}"]', REFERENCE],
  ])('for a condition with `%s`', (members, problem) => {
    const problems = problemsOf(policy(`when: { attribute: s, ${members} }`));
    expect(problems).toEqual([`2: policies[0].when.${problem}`]);
  });

  test.each([
    [
      'policies: [{ name: P, action: MASK }]',
      'properties is missing: list the properties that the action is for, or write all',
    ],
    [
      'policies: [{ name: P, action: FILTER, properties: [v] }]',
      'properties does not go with FILTER, which is about whole records',
    ],
    [
      'policies: [{ name: P, action: { name: KEEP, value: filter }, properties: [v] }]',
      'properties does not go with FILTER, which is about whole records',
    ],
    [
      'policies: [{ name: P, action: { name: filter, value: "" }, properties: [v] }]',
      'properties does not go with FILTER, which is about whole records',
    ],
    [
      'policies: [{ name: P, action: FILTER, object: o }]',
      'object is the prefix of listed properties, and none are listed',
    ],
    [
      'policies: [{ name: P, action: MASK, properties: all, object: o }]',
      'object is the prefix of listed properties, and none are listed',
    ],
    [
      'policies: [{ name: P, action: FILTER, priority: 1 }]',
      'priority does not go with FILTER, which is not chosen among other actions',
    ],
    [
      'policies: [{ name: P, action: MASK, properties: [v], effect: denied, priority: 1 }]',
      'priority does not go with denied, which comes before every other action',
    ],
    [
      'policies: [{ name: P, action: { name: Set, value: "ma\u017Fk" }, properties: [v], effect: denied }]',
      'action must be MASK or FILTER with the effect denied',
    ],
    [
      'policies: [{ name: P, action: { name: Set, value: "\uFB01lter" } }]',
      'properties is missing: list the properties that the action is for, or write all',
    ],
    [
      'policies: [{ name: P, action: last4, properties: [v], effect: denied }]',
      'action must be MASK or FILTER with the effect denied',
    ],
    [
      'policies: [{ name: P, action: FILTER, assets: { type: T, ids: all }, when: { attribute: a, operator: IN, values: [x] } }]',
      'when does not go with assets: what is said of an asset has no condition',
    ],
    [
      'policies: [{ name: P, action: FILTER, assets: { type: T, ids: all }, effect: denied }]',
      'effect cannot be denied for assets',
    ],
    [
      'policies: [{ name: P, action: MASK, properties: all, assets: { type: T, ids: all } }]',
      'properties must be a list for assets',
    ],
  ])('that contradicts itself: `%s`', (yaml, problem) => {
    expect(problemsOf(yaml)).toEqual([`1: policies[0].${problem}`]);
  });
});

const BRACKET =
  "has a bracket; write cards.#.number, or JSONPath, which begins with $, and $['a[b]'] for a property whose name has one";
const SLASH =
  "begins with /, as a JSON pointer does; write customer.ssn, and $['/a'] for a property whose name begins with /";
const AT = "begins with @; write customer.ssn, and $['@'] for a property of that name";
const COMMA = "has a comma; list each path by itself, and write $['a,b'] for a property whose name has one";
const UNSEEN =
  'has a character that is not seen; remove it, and write JSONPath, which begins with $, for a property whose name has one';
const QUOTE =
  'begins with a quote; write customer.ssn, and JSONPath, which begins with $, for a property whose name begins with one';
const BLANK =
  "has a name that begins or ends with a blank; remove the blank, and write $[' a'] for a property whose name has it";

describe('a path in another dialect, which would mask nothing,', () => {
  const DIALECTS = [
    ['cards[*].number', BRACKET],
    ['cards[0].number', BRACKET],
    ['cards[].number', BRACKET],
    ['/customer/ssn', SLASH],
    ['@.ssn', AT],
    [' ssn', BLANK],
    ['ssn ', BLANK],
    ['customer. ssn', BLANK],
    ['customer .ssn', BLANK],
    ['\u00A0ssn', BLANK],
    ['ssn,name', COMMA],
    ['{{entityId}}', BRACE],
    ['a.{{entityId}}', BRACE],
    ['"ssn"', BRACE],
    ['ssn, name', COMMA],
    ['\u00ADssn', UNSEEN],
    ['customer.s\u200Bsn', UNSEEN],
    ['ssn\u2060', UNSEEN],
    ["'ssn'", QUOTE],
    ['`ssn`', QUOTE],
  ] as const;

  test.each(DIALECTS)('is refused: %j', (written, problem) => {
    const quoted = JSON.stringify(written);
    const when = `{ attribute: ${quoted}, operator: IN, values: [x] }`;
    expect(problemsOf(policy(`properties: [v, ${quoted}]`))).toEqual([
      `2: policies[0].properties[1] ${problem}`,
    ]);
    expect(problemsOf(policy(`object: ${quoted}`))).toEqual([`2: policies[0].object ${problem}`]);
    expect(problemsOf(policy(`when: { any: [${when}] }`))).toEqual([
      `2: policies[0].when.any[0].attribute ${problem}`,
    ]);
    expect(problemsOf(policy(`metadata: { DRY_RUN: ${quoted} }`))).toEqual([
      `2: policies[0].metadata.DRY_RUN ${problem}`,
    ]);
    expect(problemsOf(`mappers: { columns: { m: { v: ${quoted} } } }\n${RIGHT}`)).toEqual([
      `1: mappers.columns.m.v ${problem}`,
    ]);
  });

  test('is refused: all as one of several properties', () => {
    expect(problemsOf(policy('properties: [all]'))).toEqual([
      "2: policies[0].properties[0] is the property named all; write properties: all for every property, and $['all'] for a property of that name",
    ]);
  });

  test.each([
    ["$['a[b]']", 'a[b]'],
    ["$['cards[*]']", 'cards[*]'],
    ["$['/customer/ssn']", '/customer/ssn'],
    ["$['@type']", '@type'],
    ["$[' ssn']", ' ssn'],
    ["$['ssn,name']", 'ssn,name'],
    ["$['all']", 'all'],
    ['a\\[b\\]', 'a[b]'],
    ['\\/customer/ssn', '/customer/ssn'],
    ['@type', '@type'],
    ['\\@', '@'],
    ['\\ ssn', ' ssn'],
    ['ssn\\,name', 'ssn,name'],
    ['\\all', 'all'],
    ['first name', 'first name'],
  ])('can be written for a property that has such a name: %j', (written, name) => {
    const yaml = policy(`properties: [${JSON.stringify(written)}]`);
    expect(problemsOf(yaml)).toEqual([]);
    expect(parsePath(written)).toEqual([{ kind: 'name', name }]);
  });
});

function nested(levels: number): string {
  return '{ all: ['.repeat(levels) + '{ attribute: s, operator: IN, values: [x] }' + '] }'.repeat(levels);
}

describe('conditions in conditions', () => {
  test('may nest 64 levels deep, and are then decided for every request', async () => {
    const policies = policiesFrom(policy(`when: ${nested(64)}`));
    const answer = new TextEncoder().encode(JSON.stringify(await ask(policies)));
    expect(readAnswer(answer).allowed).toHaveLength(1);
  });

  test.each([65, 100])('are refused with %i levels', (levels) => {
    expect(problemsOf(policy(`when: ${nested(levels)}`))).toEqual([
      '2: policies[0].when must not nest all and any more than 64 levels deep',
    ]);
  });

  test.each([200, 1000, 20_000])('are refused with %i levels, as text that nests too deeply', (levels) => {
    expect(problemsOf(policy(`when: ${nested(levels)}`))).toEqual(['2: The text nests too deeply.']);
  });
});

describe('a secret', () => {
  test.each([
    '{ clientId: a, clientSecret:hunter2 }',
    '{ clientId: a, clientSecret:hunter2: 1 }',
    '{ clientId: a, clientSecret=hunter2 }',
    '{ clientId: a, clientSecrethunter2: 1 }',
    '{ clientId: a, clientSecret: x,hunter2 }',
    '{ clientId: a, clientSecret: x, hunter2 }',
    '{ clientId: a, clientsecret:hunter2 }',
    '{ clientId: a, client_secret: hunter2 }',
    '{ clientId: a, clientSecret: [hunter2] }',
    '{ clientId: a, clientSecret: { hunter2: 1 } }',
    '{ clientId: a, clientSecret: !hunter2 x }',
    '{ clientId: a, clientSecret: *hunter2 }',
    '{ clientId: a, clientSecret:hunter2: *x }',
    '{ clientSecret:hunter2: 1, clientSecret:hunter2: 1 }',
    '{ clientId: a, clientSecret: @hunter2 }',
    '{ clientId: a, clientSecret: "hunter2 }',
    'clientSecret:hunter2',
  ])('is never quoted, whatever is wrong with it: %s', (scope) => {
    const problems = problemsOf(`scopes: [${scope}]\n${RIGHT}`);
    expect(problems).not.toEqual([]);
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  test('is not quoted in blocks either', () => {
    const blocks = ['  - clientId: a\n    clientSecret:hunter2', '  - clientSecret:hunter2\n    clientId: a'];
    for (const block of blocks) {
      expect(problemsOf(`scopes:\n${block}\n${RIGHT}`).join('\n')).not.toContain('hunter2');
    }
  });

  test.each(['clientSecret', 'apiPassword', 'Passphrase'])('is not quoted behind its name: %s', (name) => {
    expect(problemsOf(`${RIGHT}\n${name}hunter2: 1`)).toEqual([`3: ${name}… is not a known key`]);
  });

  test('has its misspelt name quoted, up to the end of the name', () => {
    expect(problemsOf(`scopes: [{ clientId: a, clientSecret:hunter2 }]\n${RIGHT}`)).toContain(
      '1: scopes[0].clientSecret… is not a known key; the nearest one is clientSecret',
    );
  });
});

describe('a claim is not selected by', () => {
  test.each([
    'department',
    '$',
    '$.',
    '$..roles',
    '$.a[',
    '$.a[]',
    '$.a[?(@.b)]',
    '$.a[(@.length-1)]',
    '$.a[-1]',
    '$.a[0:2]',
    '$.a[0,1]',
    '$.a.*',
    '$.a^',
    '$.a~',
    '$.a.@string()',
    "$['a','b']",
    "$['*']",
    "$['a\\\\b']",
    '$.a ',
    '$.__proto__[?(1)]',
  ])('%s', (selector) => {
    const [problem] = problemsOf(policy(`for: { claims: { ${JSON.stringify(selector)}: [x] } }`));
    expect(problem).toMatch(/ is a key that must be a JSONPath such as /);
  });
});

describe('names in the parts of a file', () => {
  test('must be unique: of scopes and of policies', () => {
    const scopes = 'scopes: [{ clientId: a, clientSecret: x }, { clientId: a, clientSecret: y }]';
    const policies = 'policies:\n  - { name: P, action: FILTER }\n  - { name: P, action: FILTER }';
    expect(
      problemsOf(`${scopes}\n${policies}\n  - { name: Q, action: FILTER }\n  - { name: P, action: FILTER }`),
    ).toEqual([
      '1: scopes[1].clientId is used above already, and must be unique',
      '4: policies[1].name is used above already, and must be unique',
      '6: policies[3].name is used above already, and must be unique',
    ]);
  });

  test('must differ: of the attributes for properties and for prefixes', () => {
    expect(problemsOf(`object: column\n${RIGHT}`)).toEqual(['1: object must differ from attrName']);
  });

  test('must be mapped, if a policy of the asset type uses them', () => {
    const yaml = `
mappers:
  columns:
    complete: { o.a: x, s: y, t: z }
    incomplete: { a: x, s: y }
policies:
  - name: P
    object: o
    properties: [a]
    action: MASK
    when: { all: [{ attribute: s, operator: IN, values: [x] }, { any: [{ attribute: t, operator: IN, values: [x] }] }] }
  - { name: Q, assetType: other, properties: [q], action: MASK }`;
    expect(problemsOf(yaml)).toEqual([
      '5: mappers.columns.incomplete has no path for o.a, which a policy uses',
      '5: mappers.columns.incomplete has no path for t, which a policy uses',
    ]);
  });

  test('that many mappers lack are found up to a thousand', () => {
    const numbers = Array.from({ length: 300 }, (_one, index) => index);
    const mappers = `mappers: { columns: { ${numbers.map((number) => `m${number}: {}`).join(', ')} } }`;
    const names = numbers.map((number) => `v${number}`);
    const problems = problemsOf(`${mappers}\n${policy(`properties: [${names.join(', ')}]`)}`);
    expect(problems).toHaveLength(1000);
    expect(problems[300]).toBe('1: mappers.columns.m1 has no path for v0, which a policy uses');
  });

  test('that are unknown have the nearest one as far as they are shown', () => {
    const unknown = Array.from(
      { length: 300 },
      (_one, index) => `column${index.toString(36).padStart(2, 'x')}: {}`,
    );
    const problems = problemsOf(`mappers: { ${unknown.join(', ')}, colums: {} }\n${RIGHT}`);
    expect(problems[0]).toBe(
      '1: mappers.columnx0 is an asset type that no policy is for; the nearest one is columns',
    );
    expect(problems.at(-1)).toBe('1: mappers.colums is an asset type that no policy is for');
    expect(problems.filter((problem) => problem.includes('nearest'))).toHaveLength(100);
  });

  test('must be mapped, also if every object of JavaScript has them', () => {
    expect(problemsOf(`mappers: { columns: { m: {} } }\n${policy('properties: [constructor]')}`)).toEqual([
      '1: mappers.columns.m has no path for constructor, which a policy uses',
    ]);
  });

  test.each(['column', 'table'])('need not be mapped, if they name properties, as %s does', (attribute) => {
    const when = `when: { attribute: ${attribute}, operator: STARTS_WITH, values: [card_] }`;
    expect(problemsOf(`mappers: { columns: { m: {} } }\n${policy(`properties: all, ${when}`)}`)).toEqual([]);
  });

  test('are checked as far as they can be made out in a file with other problems', () => {
    const yaml =
      'scopes: all\nmappers: []\npolicies: [7, { name: [], scopes: 1 }, { name: P, action: FILTER, scopes: [a] }]';
    expect(problemsOf(yaml)).toContain('3: policies[2].scopes[0] is not one of the scopes');
  });
});

describe('names that cannot be made out', () => {
  test('are neither twice there nor unknown', () => {
    const policies = 'policies: [{ name: {}, action: FILTER, scopes: [{}] }, { name: {}, action: FILTER }]';
    expect(problemsOf(policies)).toEqual([
      '1: policies[0].name must be text',
      '1: policies[0].scopes[0] must be text',
      '1: policies[1].name must be text',
    ]);
  });

  test('do not keep the other policies from being compared with the mappers', () => {
    const wrong = '{ name: [], properties: [w], action: MASK }';
    expect(problemsOf(`mappers: { columns: { m: {} } }\n${RIGHT}\n  - ${wrong}`)).toContain(
      '1: mappers.columns.m has no path for v, which a policy uses',
    );
  });
});

test('a policy without an asset type has that of the file, as its mappers do', () => {
  expect(problemsOf(`assetType: other\nmappers: { other: { m: { v: w } } }\n${RIGHT}`)).toEqual([]);
});

test('a policy file is not taken for a configuration because one of its keys is one of those', () => {
  expect(problemsOf(`port: 1\n${RIGHT}`)).toEqual(['1: port is not a known key']);
});

test('a scope lacks its secret also if it lacks more', () => {
  expect(problemsOf(`scopes: [{ clientId: {} }]\n${RIGHT}`)).toEqual([
    '1: scopes[0].clientId must be text',
    '1: scopes[0] must have a clientSecret, or jwt, or both',
  ]);
});

test.each([
  [4096, []],
  [4097, ['1: scopes[0].clientSecret must have at most 4096 characters']],
])('a secret of %i characters has these problems: %j', (length, problems) => {
  expect(problemsOf(`scopes: [{ clientId: a, clientSecret: ${'s'.repeat(length)} }]\n${RIGHT}`)).toEqual(
    problems,
  );
});

describe('a scope is refused', () => {
  test.each([
    ['{ clientId: a }', 'must have a clientSecret, or jwt, or both'],
    ['{ clientSecret: x }', 'clientId is missing: it must be text'],
    ['{ clientId: a, clientSecret: "" }', 'clientSecret must not be empty'],
    ['{ clientId: a, clientsecret: x }', 'clientsecret is not a known key; the nearest one is clientSecret'],
    [
      '{ clientId: a, jwt: {} }',
      'jwt.jwks is missing: it must be a key set, { keys: [...] }, or the path of a JSON file with one',
    ],
    ['{ clientId: a, jwt: { jwks: none.json } }', 'none.json, which cannot be read: it does not exist'],
    ['{ clientId: a, jwt: { jwks: text.json } }', 'jwt.jwks names a file that is not valid JSON'],
    [
      '{ clientId: a, jwt: { jwks: twice.json } }',
      'jwt.jwks names a file that has a name twice in one object',
    ],
    [
      '{ clientId: a, jwt: { jwks: list.json } }',
      'jwt.jwks must be a key set, { keys: [...] }, or the path of a JSON file with one',
    ],
    ['{ clientId: a, jwt: { jwks: { keys: [] } } }', 'jwt.jwks.keys must have at least one element'],
    [
      '{ clientId: a, clientSecret: x, jwt: { jwks: set.json, entityId: sub } }',
      "jwt.entityId must be a JSONPath such as $.roles[*] or $['https:region'], without filters or searches",
    ],
    [
      '{ clientId: a, jwt: { jwks: set.json, clockTolerance: 301 } }',
      'jwt.clockTolerance must be at most 300',
    ],
    [
      '{ clientId: a, clientSecret: x, jwt: { jwks: set.json, actsForOthers: 1 } }',
      'jwt.actsForOthers must be true or false',
    ],
  ])('for `%s`', (scope, problem) => {
    const files = {
      'text.json': 's3cret',
      'list.json': '[]',
      'set.json': '{"keys":[]}',
      'twice.json': '{"keys":[{"kid":"s3cret"}],"keys":[]}',
    };
    const problems = problemsOf(`scopes: [${scope}]\n${RIGHT}`, files).join('\n');
    expect(problems).toMatch(/^1: scopes\[0\]/);
    expect(problems).toContain(problem);
    expect(problems).not.toContain('s3cret');
  });

  test.each([
    [
      'a private key',
      async () => exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey),
    ],
    ['a secret key', async () => ({ kty: 'oct', k: 's3cret' })],
    ['a key that is none', async () => ({ kty: 'EC', crv: 'P-256', x: 'a', y: 'b' })],
    ['a text', async () => 'key'],
  ])('for %s in its key set, which is not quoted', async (_, key) => {
    const jwks = JSON.stringify({ keys: [await key()] });
    const problems = problemsOf(
      `scopes: [{ clientId: a, jwt: { jwks: ${jwks}, issuer: i, audience: a } }]\n${RIGHT}`,
    );
    const expected = 'must be a public key (JWK) for signatures, not a private or secret one';
    expect(problems).toEqual([`1: scopes[0].jwt.jwks.keys[0] ${expected}`]);
  });
});

test('the clocks of a scope may differ by as much as 300 seconds', async () => {
  const key = await exportJWK((await generateKeyPair('ES256')).publicKey);
  const jwt = { jwks: { keys: [key] }, issuer: 'i', audience: 'a', clockTolerance: 300 };
  expect(problemsOf(`scopes: ${JSON.stringify([{ clientId: 'a', jwt }])}\n${RIGHT}`)).toEqual([]);
});

test.each(['MASK', ' mask ', 'FILTER', ' Filter '])('a denied policy may have the action %j', (action) => {
  const masks = /mask/i.test(action) && { properties: ['v'] };
  const policies = [{ name: 'P', action, effect: 'denied', ...masks }];
  expect(policiesFrom(JSON.stringify({ policies })).policies).toHaveLength(1);
});
