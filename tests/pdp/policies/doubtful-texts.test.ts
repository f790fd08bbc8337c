import { expect, test } from '@jest/globals';
import { doubtfulTexts } from '../../../src/pdp/policies/doubtful-texts.ts';
import type { Audience, Comparison, Policy } from '../../../src/pdp/policies/policy.ts';

const NAMES = { attrName: 'column', object: 'table' };
const POLICY: Policy = {
  name: 'P',
  assetType: 'columns',
  effect: 'allowed',
  action: { name: 'MASK' },
  properties: ['ssn'],
  metadata: {},
};

function doubts(changes: Partial<Policy>): readonly string[] {
  return doubtfulTexts({ ...POLICY, ...changes }, NAMES);
}

function comparing(attribute: string, ...values: Comparison['values']): Partial<Policy> {
  const leaf: Comparison = { attribute, operator: 'IN', type: 'STRING', values };
  return { when: { all: [{ any: [leaf] }] } };
}

test.each<[Audience]>([
  [{ entityTypes: ['*'] }],
  [{ entityIds: ['All'] }],
  [{ entityTypes: ['Agent', 'everyone'] }],
])('what means everybody elsewhere is an id or a type like others: %j', (audience) => {
  const doubt = expect.stringContaining('is an id or a type like others');
  expect(doubts({ for: [audience] })).toEqual([doubt]);
  expect(doubts({ except: [audience] })).toEqual([doubt]);
});

test.each(['All', '*'])('%s in a list of assets is an asset of this id', (id) => {
  const doubt = expect.stringContaining(`${id} is an asset of this id`);
  expect(doubts({ assets: { type: 'Account', ids: ['a1', id] } })).toEqual([doubt]);
});

test('all in the place of a list of assets is every asset', () => {
  expect(doubts({ assets: { type: 'Account', ids: 'all' } })).toEqual([]);
});

test.each([
  '{{entityId}}',
  '{{.entityId}}',
  '<%= entityId %>',
  '$entityId',
  '{claims.region}',
  '$(claims["x"])',
])('%s is not replaced', (text) => {
  const doubt = expect.stringContaining(`${text} is not replaced`);
  expect(doubts(comparing('owner', text))).toEqual([doubt]);
  expect(doubts({ for: [{ entityIds: [text] }] })).toEqual([doubt]);
  expect(doubts({ for: [{ claims: [{ claim: [{ name: 'sub' }], values: [text] }] }] })).toEqual([doubt]);
});

test.each(['/ssn', 'ssn,card', 'cards[0]', 'a. b'])('the name %s is a path of another dialect', (name) => {
  expect(doubts(comparing('column', name))).toEqual([expect.stringContaining(name)]);
});

test.each(['Column', 'columns', 'tabel', 'Table'])(
  '%s is read of records, and not the name of a property',
  (attribute) => {
    expect(doubts(comparing(attribute, 'ssn'))).toEqual([
      expect.stringContaining(`${attribute} is read of records`),
    ]);
  },
);

test.each(['Agent/jane', 'Agent,Manager', 'Agent '])('%j is one type', (type) => {
  expect(doubts({ for: [{ entityTypes: [type] }] })).toEqual([expect.stringContaining('is one type')]);
});

test.each(['*@example.com', 'A*', '**'])('%s has no wildcards', (value) => {
  expect(doubts(comparing('mail', value))).toEqual([expect.stringContaining('letter by letter')]);
});

test('TRUE is text', () => {
  expect(doubts(comparing('vip', 'TRUE'))).toEqual(['TRUE is text: of truth values, write true']);
  const leaf: Comparison = { attribute: 'vip', operator: 'EQUALS', type: 'BOOLEAN', values: ['TRUE'] };
  expect(doubts({ when: leaf })).toEqual([]);
});

test('ALL is a property', () => {
  expect(doubts({ properties: ['ssn', 'ALL'] })).toEqual([expect.stringContaining('properties: all')]);
});

test('a prefix is said twice', () => {
  expect(doubts({ object: 'customer', properties: ['ssn', 'customer.ssn', 'customers.ssn'] })).toEqual([
    'customer.ssn is looked for in customer, which object says already',
  ]);
});

test('** is one level', () => {
  expect(doubts(comparing('column', '**.ssn'))).toEqual([expect.stringContaining('**.ssn')]);
  expect(doubts(comparing('**.status', 'x'))).toEqual([expect.stringContaining('**.status')]);
  expect(doubts({ properties: ['**.ssn', 'a.*.ssn', "$['a.**.b']"] })).toEqual([
    expect.stringContaining('**.ssn'),
  ]);
});

test.each<[Partial<Policy>]>([
  [{}],
  [{ properties: 'all' }],
  [{ action: { name: 'FILTER' }, ...comparing('tables', 'a[') }],
  [{ when: { attribute: 'column', operator: 'CONTAINS', type: 'STRING', values: ['['] } }],
  [{ for: [{ entityTypes: ['Agent'], claims: [{ claim: [{ name: 'regions' }], values: ['all'] }] }] }],
  [comparing('column', 'ssn', 'customer.ssn', '*.ssn', '$.a[0]')],
  [comparing('table', 'customers')],
  [comparing('grade', '*', 'true', 'a*b')],
  [{ for: [{ entityIds: ['Agent/jane', 'a,b'] }] }],
  [comparing('country', 'US', '$5', '{a}', '/x', { caller: 'entityId' })],
])('nothing is doubtful about %j', (changes) => {
  expect(doubts(changes)).toEqual([]);
});
