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
