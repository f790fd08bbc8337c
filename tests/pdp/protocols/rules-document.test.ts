import { describe, expect, test } from '@jest/globals';
import { parseAnswer } from '../../../src/pdp/decisions/json-answer.ts';
import { readingOf, readRules, rulesOf } from '../../../src/pdp/decisions/rules-document/read.ts';
import type { Rules } from '../../../src/core/rule.ts';
import { effectOf } from '../effect.ts';
import { questionInContext, questionOf } from '../questions.ts';

const QUESTION = questionOf({});

function rulesIn(text: string, question = QUESTION): Rules {
  return rulesOf(
    readRules(parseAnswer(Buffer.from(text)), readingOf(question), ['rules']),
    question.settings,
  );
}

/** The detail of the error that a list of rules is refused with. */
function refusal(text: string): unknown {
  try {
    rulesIn(text);
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
}

test.each([
  [
    'conditions',
    '[{"properties":["a"],"action":"MASK","when":{"all":[@]}}]',
    '{}',
    '/rules/0/when/all/0/attribute',
  ],
  ['properties', '[{"properties":["a",@],"action":"MASK"}]', '1', '/rules/0/properties/1'],
  ['metadata', '[{"properties":["a"],"action":"MASK","metadata":{@}}]', '"key":1', '/rules/0/metadata/key0'],
  ['members', '[{"properties":["a"],"action":"MASK",@}]', '"key":1', '/rules/0/key0'],
])('a rule with 200,000 wrong %s is refused for one of them', (_what, rules, wrong, place) => {
  const many = Array.from({ length: 200_000 }, (_unused, at) => wrong.replace('key', `key${at}`));
  expect(refusal(rules.replace('@', many.join()))).toMatchObject({
    code: 'decision-not-understood',
    message: expect.stringContaining(` at ${place}`),
  });
});

describe('a rule of a rules document is refused, with its place, if', () => {
  test.each([
    ['a member is unknown', '[{"properties":["a"],"action":"MASK","wehn":{}}]', '/rules/0/wehn'],
    ['a filter has an unknown member', '[{"action":"FILTER","wehn":{}}]', '/rules/0/wehn'],
    ['the action is missing', '[{"properties":["a"]}]', '/rules/0/action'],
    ['the properties are missing', '[{"action":"MASK"}]', '/rules/0/properties'],
    ['the properties are a text', '[{"properties":"a","action":"MASK"}]', '/rules/0/properties'],
    ['the properties are empty', '[{"properties":[],"action":"MASK"}]', '/rules/0/properties'],
    ['a path cannot be parsed', '[{"properties":["a..b"],"action":"MASK"}]', '/rules/0/properties/0'],
    ...['/ssn', 'cards[0].number', 'a,b', ' ssn', '@.ssn', 'all'].map((path): [string, string, string] => [
      `the path '${path}' is of another dialect`,
      JSON.stringify([{ properties: ['a', path], action: 'MASK' }]),
      '/rules/0/properties/1',
    ]),
    [
      'the path of an attribute is of another dialect',
      '[{"action":"FILTER","when":{"attribute":"a[0]","operator":"IN","values":["x"]}}]',
      '/rules/0/when/attribute',
    ],
    ['a property is a number', '[{"properties":[1],"action":"MASK"}]', '/rules/0/properties/0'],
    ['a mask is misspelt', '[{"properties":["a"],"action":"lats(4)"}]', '/rules/0/action'],
    ['a priority is in the action', '[{"properties":["a"],"action":"1::MASK"}]', '/rules/0/action'],
    ['the priority is a text', '[{"properties":["a"],"action":"MASK","priority":"1"}]', '/rules/0/priority'],
    [
      'the priority is a fraction',
      '[{"properties":["a"],"action":"MASK","priority":1.5}]',
      '/rules/0/priority',
    ],
    ['the priority is negative', '[{"properties":["a"],"action":"MASK","priority":-1}]', '/rules/0/priority'],
    ['a filter has a priority', '[{"action":"FILTER","priority":1}]', '/rules/0/priority'],
    [
      'an operator is unknown',
      '[{"action":"FILTER","when":{"attribute":"a","operator":"IS","values":["x"]}}]',
      '/rules/0/when/operator',
    ],
    [
      'a condition has no values',
      '[{"action":"FILTER","when":{"attribute":"a","operator":"IN","values":[]}}]',
      '/rules/0/when/values',
    ],
    ['a condition is null', '[{"action":"FILTER","when":null}]', '/rules/0/when'],
    ['a condition is empty', '[{"action":"FILTER","when":{}}]', '/rules/0/when/attribute'],
    [
      'a value would be put in by a policy file',
      '[{"action":"FILTER","when":{"attribute":"a","operator":"IN","values":["${entityId}"]}}]',
      '/rules/0/when/values/0',
    ],
    [
      'a value is null',
      '[{"action":"FILTER","when":{"attribute":"a","operator":"IN","values":[null]}}]',
      '/rules/0/when/values/0',
    ],
    ['maskShort is text', '[{"properties":["a"],"action":"last(4)","maskShort":"no"}]', '/rules/0/maskShort'],
    ['the key is not there', '[{"properties":["a"],"action":"hash(nowhere)"}]', '/rules/0/action'],
    [
      'the key of a value is not there',
      '[{"properties":["a"],"action":{"name":"HASH","value":"hash(nowhere)"}}]',
      '/rules/0/action/value',
    ],
    ['the effect is unknown', '[{"action":"FILTER","effect":"deny"}]', '/rules/0/effect'],
    [
      'it is denied and partial',
      '[{"properties":["a"],"action":"last4","effect":"denied"}]',
      '/rules/0/action',
    ],
    ['dry run is a flag', '[{"properties":["a"],"action":"MASK","dryRun":true}]', '/rules/0/dryRun'],
    ...['true', 'False', 'no', 'OFF', 'none'].flatMap((flag): [string, string, string][] => [
      [
        'dry run is a flag as a text',
        `[{"properties":["a"],"action":"MASK","dryRun":"${flag}"}]`,
        '/rules/0/dryRun',
      ],
      [
        'DRY_RUN is a flag',
        `[{"properties":["a"],"action":"MASK","metadata":{"DRY_RUN":"${flag}"}}]`,
        '/rules/0/metadata/DRY_RUN',
      ],
    ]),
    [
      'dry run is said twice',
      '[{"properties":["a"],"action":"MASK","dryRun":"a","metadata":{"DRY_RUN":"b"}}]',
      '/rules/0/dryRun',
    ],
    [
      'DRY_RUN is misspelt',
      '[{"properties":["a"],"action":"MASK","metadata":{"dry_run":"b"}}]',
      '/rules/0/metadata/dry_run',
    ],
    [
      'DRY_RUN is no path',
      '[{"properties":["a"],"action":"MASK","metadata":{"DRY_RUN":"a..b"}}]',
      '/rules/0/metadata/DRY_RUN',
    ],
    ['it is for callers', '[{"properties":["a"],"action":"MASK","for":{"entityIds":["x"]}}]', '/rules/0/for'],
    ['it is null', '[null]', '/rules/0'],
    ['the rules are an object', '{"0":{}}', '/rules'],
    ['the rules are null', 'null', '/rules'],
    ['a name is there twice', '[{"properties":["a"],"action":"MASK","action":"last4"}]', '/0/action'],
  ])('%s', (_case, text, pointer) => {
    expect(refusal(text)).toMatchObject({
      code: 'decision-not-understood',
      message: expect.stringContaining(`at ${pointer}.`),
    });
  });
});

function equalling(attribute: string): unknown {
  return { attribute, operator: 'EQUALS', values: ['ssn'] };
}

test('a value that is null is refused with what it may be', () => {
  const written = '[{"action":"FILTER","when":{"attribute":"a","operator":"IN","values":["b",null]}}]';
  expect(refusal(written)).toMatchObject({
    message: expect.stringContaining('must be text, a number, true or false, at /rules/0/when/values/1.'),
  });
});

describe('the rules of a document', () => {
  test('may be none', () => {
    expect(rulesIn('[]')).toEqual({ properties: [], filters: [], filterDefault: undefined });
  });

  test('are tried in the order of the document, after those that are denied and those with a priority', () => {
    const { properties } = rulesIn(`[
      { "policy": "conditional", "properties": ["a"], "action": "MASK",
        "when": { "attribute": "x", "operator": "EQUALS", "values": [1.10] } },
      { "policy": "plain", "properties": ["a"], "action": "MASK" },
      { "policy": "late", "properties": ["a"], "action": "MASK", "priority": 20 },
      { "policy": "early", "properties": ["a"], "action": "MASK", "priority": 3 },
      { "policy": "denied", "properties": "all", "action": "MASK", "effect": "denied" }]`);
    const names = properties.map(({ policies }) => policies.map(({ name }) => name).join());
    expect(names).toEqual(['denied', 'early', 'late', 'conditional', 'plain']);
  });

  test.each([
    ['3.0', 3n],
    ['7.00', 7n],
    ['12', 12n],
  ])('may have a priority that is written as %s', (written, priority) => {
    const { properties } = rulesIn(`[{"properties":["a"],"action":"MASK","priority":${written}}]`);
    expect(properties.map(({ source }) => source?.priority)).toEqual([priority]);
  });

  test('demand a FILTER rule if that is configured', () => {
    const question = questionOf({}, { settings: { ...QUESTION.settings, filterDefault: 'deny' } });
    expect(rulesIn('[]', question).filterDefault).toBe('deny');
  });

  test('are ignored if they are about another asset type', () => {
    expect(rulesIn('[{"assetType":"orders","properties":["a"],"action":"MASK"}]').properties).toEqual([]);
  });

  test('about assets hold for those that were asked about, in context mode', () => {
    const text = '[{"assets":{"type":"Customer","ids":"all"},"properties":["a"],"action":"MASK"}]';
    const asked = questionInContext({}, { type: 'Customer', ids: ['1', '2'] });
    expect(rulesIn(text, asked).properties).toMatchObject([{ assetIds: new Set(['1', '2']) }]);
    expect(rulesIn(text).properties).toEqual([]);
  });

  test('about all assets have one set of them', () => {
    const rule = '{"assets":{"type":"Customer","ids":"all"},"properties":["a"],"action":"MASK"}';
    const asked = questionInContext({}, { type: 'Customer', ids: ['1', '2'] });
    const { properties } = rulesIn(`[${rule},${rule}]`, asked);
    expect(properties.map(({ assetIds }) => assetIds)).toEqual([new Set(['1', '2']), new Set(['1', '2'])]);
    expect(new Set(properties.map(({ assetIds }) => assetIds)).size).toBe(1);
  });

  test.each(['["1.10"]', '[1.10]', '1.10'])('compare with a number as it is written: %s', (values) => {
    const when = `{"attribute":"x","operator":"EQUALS","values":${values}}`;
    const { filters } = rulesIn(`[{"action":"FILTER","when":${when}}]`);
    expect(filters).toMatchObject([{ condition: { of: [{ values: ['1.10'] }] } }]);
  });

  test.each([
    [{ attrName: undefined, object: undefined }, ['property', 'prefix', 'record', 'record']],
    [{ attrName: 'name', object: undefined }, ['record', 'prefix', 'property', 'record']],
    [{ attrName: 'name', object: 'below' }, ['record', 'record', 'property', 'prefix']],
    [{ attrName: 'table', object: undefined }, ['record', 'property', 'record', 'record']],
  ])(
    'take column and table for names, as a policy file does, unless others are configured: %j',
    (names, subjects) => {
      const question = questionOf({}, { settings: { ...QUESTION.settings, ...names } });
      const when = { all: ['column', 'table', 'name', 'below'].map((one) => equalling(one)) };
      const text = JSON.stringify([{ properties: 'all', action: 'MASK', when }]);
      const { properties } = rulesIn(text, question);
      expect(properties).toMatchObject([
        { about: { condition: { of: [{ of: subjects.map((subject) => ({ subject })) }] } } },
      ]);
    },
  );

  test('set a number as text, digit by digit', () => {
    const { properties } = rulesIn('[{"properties":["a"],"action":{"name":"SET","value":1.10}}]');
    expect(properties.map(({ action }) => effectOf(action))).toMatchObject([{ created: '"1.10"' }]);
  });

  test.each([
    ['SET', { created: '""', made: { '"a"': 'masked: ""' } }],
    ['MASK', { made: { '"a"': 'masked: "***"' } }],
  ])('take an empty value as the empty text, but beside the name of a mask: %s', (name, expected) => {
    const { properties } = rulesIn(`[{"properties":["a"],"action":{"name":"${name}","value":""}}]`);
    expect(properties.map(({ action }) => effectOf(action))).toMatchObject([expected]);
  });

  test.each([
    ['', 'unchanged'],
    [',"maskShort":false', 'unchanged'],
    [',"maskShort":true', 'masked: "***"'],
  ])('mask short values as they say%s', (member, expected) => {
    const { properties } = rulesIn(`[{"properties":["a"],"action":"last(4)"${member}}]`);
    expect(properties.map(({ action }) => effectOf(action))).toMatchObject([{ made: { '"a"': expected } }]);
  });
});

/** A rule about so many properties below an object with so many names. */
function belowObject(properties: number, names: number, more: object): object {
  const object = Array.from({ length: names }, () => 'o').join('.');
  const list = Array.from({ length: properties }, (_property, at) => `p${at}`);
  return { action: 'MASK', object, properties: list, ...more };
}

describe.each([
  ['named', {}],
  ['denied', { effect: 'denied' }],
  ['masked on a condition', { when: { attribute: 'a', operator: 'EQUALS', values: ['x'] } }],
])('properties below an object that are %s', (_how, more) => {
  test('are refused if together they repeat very many names of the object', () => {
    const refused = {
      code: 'decision-not-understood',
      message: expect.stringMatching(
        /more than \d+ names of objects in the paths of properties at \/rules\/0\/object/u,
      ),
    };
    expect(refusal(JSON.stringify([belowObject(5000, 400, more)]))).toMatchObject(refused);
    expect(rulesIn(JSON.stringify([belowObject(5000, 16, more)])).properties).toHaveLength(1);
    expect(rulesIn(JSON.stringify([belowObject(40, 400, more)])).properties).toHaveLength(1);
  });

  test('count in all rules together', () => {
    const rules = Array.from({ length: 30 }, () => belowObject(40, 400, more));
    expect(refusal(JSON.stringify(rules))).toMatchObject({ code: 'decision-not-understood' });
  });
});
