import { expect, test } from '@jest/globals';
import { explanationLines } from '../../../src/places/command-line/show-explanation.ts';

test('what is left out of an explanation is not said to be untouched', () => {
  const nothing = { rules: [], changes: [], records: [] };
  expect(explanationLines(nothing, '/9')).toEqual(['/9: no rule is about it']);
  expect(explanationLines({ ...nothing, truncated: true }, '/9')).toEqual([
    '/9: it is not among what is explained',
    '… and more (maxExplained)',
  ]);
});

test('a place is not the one whose name it begins with', () => {
  const changes = [{ pointer: '/ab', effect: 'removed', lost: [] }] as const;
  const explanation = { rules: [], changes, records: [] };
  expect(explanationLines(explanation, '/a')).toEqual(['/a: no rule is about it']);
  expect(explanationLines(explanation, '/ab/c')).toEqual(['/ab: removed']);
});

test('what is in a record that is removed is removed with it', () => {
  const records = [{ pointer: '/0', kept: false, because: [] }] as const;
  expect(explanationLines({ rules: [], changes: [], records }, '/0/name')).toEqual([
    '/0: record removed: no rule allows records',
  ]);
});

type ExplainedRule = Parameters<typeof explanationLines>[0]['rules'][number];

/** The line about a record that was removed, with one filter, or none. */
function removedBy(rule?: Partial<ExplainedRule>, holds = false): string | undefined {
  const of = { policy: 'F', action: 'FILTER', effect: 'allowed', dryRun: false, place: '/a' } as const;
  const rules = rule === undefined ? [] : [{ ...of, id: 0, reached: 1, applied: 0, ...rule }];
  const records = [{ pointer: '/0', kept: false, because: rules.map(({ id }) => ({ rule: id, holds })) }];
  return explanationLines({ rules, changes: [], records }, '')[0];
}

test('a record that goes because no rule allows records is said to', () => {
  const unallowed = '/0: record removed: no rule allows records';
  expect([removedBy(), removedBy({ effect: 'denied' }), removedBy({ dryRun: true })]).toEqual([
    unallowed,
    unallowed,
    unallowed,
  ]);
  expect(removedBy({ effect: 'denied', dryRun: true }, true)).toBe(unallowed);
  expect([removedBy({}), removedBy({ effect: 'denied' }, true)]).toEqual([
    '/0: record removed',
    '/0: record removed',
  ]);
});

test('a rule is named with what else decides about it, and a group of one condition as that condition', () => {
  const of = { policy: 'P', effect: 'allowed', dryRun: false, place: '/a', reached: 1, applied: 1 } as const;
  const leaf = { attribute: 'k', operator: 'EQUALS', holds: true, read: 'present' } as const;
  const explanation = {
    rules: [
      { ...of, id: 0, action: 'MASK', priority: 0 },
      { ...of, id: 1, action: 'last(2)', effect: 'denied' as const },
    ],
    changes: [
      {
        pointer: '/a',
        effect: 'masked' as const,
        rule: 0,
        condition: { OR: [{ AND: [leaf], holds: true }], holds: true },
        lost: [{ rule: 1, because: 'priority' as const }],
      },
    ],
    records: [],
  };
  expect(explanationLines(explanation)).toEqual([
    '/a: masked by "P" (MASK, priority 0)',
    '├─ its condition holds',
    '│  └─ k EQUALS: holds (present)',
    '└─ not "P" (last(2), denied): another rule comes first',
  ]);
});
