import { expect, test } from '@jest/globals';
import { overruledPolicies } from '../../../src/pdp/policies/overruled.ts';
import type { Policy } from '../../../src/pdp/policies/policy.ts';

const MINORS = { attribute: 'age', operator: 'LESS', type: 'INTEGER', values: ['18'] } as const;

const POLICY: Omit<Policy, 'name'> = {
  assetType: 'columns',
  effect: 'allowed',
  action: { name: 'MASK' },
  properties: ['ssn'],
  metadata: {},
};

/** Policies that mask `ssn`, with changes, in the order in the file. */
function policiesWith(...changes: readonly Partial<Policy>[]): readonly Policy[] {
  return changes.map((change, i) => Object.assign({ name: `P${i}` }, POLICY, change));
}

test.each<[string, Partial<Policy>[], string[]]>([
  ['it has a condition, and the other has none', [{ when: MINORS }, {}], ['P0 by P1']],
  ['it comes later', [{}, {}, { for: [{ entityTypes: ['Agent'] }] }], ['P1 by P0', 'P2 by P0']],
  ['it has no priority', [{}, { priority: 5 }], ['P0 by P1']],
  ['its priority is higher', [{ priority: 6, when: MINORS }, { priority: 5 }], ['P0 by P1']],
  [
    'several others have its properties',
    [{ properties: ['a', 'b'] }, { properties: ['b', 'c'] }, { properties: ['c', 'a', 'b'] }],
    ['P2 by P1'],
  ],
  ['both are below one object', [{ object: 'customer' }, { object: 'customer' }], ['P1 by P0']],
])('a policy never applies if %s', (_case, changes, expected) => {
  const found = overruledPolicies(policiesWith(...changes));
  expect(found.map(({ policy, by }) => `${policy} by ${by}`)).toEqual(expected);
});

test.each<[string, Partial<Policy>[]]>([
  ['it is alone', [{}]],
  ['the other has a condition', [{ when: MINORS }, { when: MINORS }]],
  ['the other is for some', [{ for: [{ entityTypes: ['Agent'] }] }, { when: MINORS }]],
  ['the other is not for some', [{ except: [{ entityTypes: ['Agent'] }] }, { when: MINORS }]],
  ['the other is in some scopes', [{ scopes: ['portal'] }, { when: MINORS }]],
  ['its priority is lower', [{}, { priority: 5, when: MINORS }]],
  ['both have one priority', [{ priority: 5 }, { priority: 5 }]],
  ['it is about more', [{}, { properties: ['ssn', 'name'] }]],
  ['it is about everything', [{}, { properties: 'all' }]],
  ['it is about another type', [{}, { assetType: 'customers' }]],
  ['it is below an object', [{}, { object: 'customer' }]],
  ['it fills what is not there', [{}, { action: { name: 'SSN', value: 'unknown' } }]],
  ['the other fills what is not there', [{ action: { name: 'SSN', value: 'unknown' } }, { when: MINORS }]],
  ['the other is tried', [{ metadata: { DRY_RUN: 'id' } }, {}]],
  ['it is tried', [{}, { metadata: { DRY_RUN: 'id' } }]],
  ['the other denies', [{ effect: 'denied' }, { when: MINORS }]],
  ['the other filters', [{ action: { name: 'FILTER' }, properties: undefined }, {}]],
  ['the other is for some assets', [{ assets: { type: 'a', ids: ['1'] } }, {}]],
])('a policy may apply if %s', (_case, changes) => {
  expect(overruledPolicies(policiesWith(...changes))).toEqual([]);
});
