import { describe, expect, test } from '@jest/globals';
import { isChange, isRecordReason } from '../../playground/src/reasons.ts';

const LEAF = { attribute: 'vip', operator: 'EQUALS', holds: false, read: 'present' };
const CHANGE = {
  pointer: '/0/ssn',
  effect: 'masked',
  rule: 0,
  condition: { AND: [LEAF, { OR: [], holds: false }], holds: true },
  lost: [
    { rule: 3, because: 'priority' },
    { rule: 5, because: 'condition', condition: LEAF },
  ],
};
const RECORD = { pointer: '/1', kept: false, because: [{ rule: 7, holds: false, condition: LEAF }] };

describe('an explanation', () => {
  test('has changes and reasons of records', () => {
    expect([isChange(CHANGE), isRecordReason(RECORD)]).toEqual([true, true]);
    expect(isChange({ pointer: '', effect: 'unchanged', lost: [] })).toBe(true);
  });

  test.each([
    null,
    'masked',
    { ...CHANGE, pointer: 1 },
    { ...CHANGE, effect: 'hidden' },
    { ...CHANGE, rule: '0' },
    { ...CHANGE, lost: undefined },
    { ...CHANGE, lost: [{ rule: 3, because: 'luck' }] },
    { ...CHANGE, lost: [null] },
    { ...CHANGE, condition: { ...LEAF, read: 'maybe' } },
    { ...CHANGE, condition: { AND: [{ OR: [{ holds: 'no' }], holds: true }], holds: true } },
    { ...CHANGE, condition: { ...LEAF, attribute: 1 } },
  ])('does not have the change %j', (change) => {
    expect(isChange(change)).toBe(false);
  });

  test.each([
    undefined,
    { ...RECORD, kept: 'no' },
    { ...RECORD, because: {} },
    { ...RECORD, because: [{ rule: 7 }] },
    { ...RECORD, because: [{ rule: 7, holds: true, condition: null }] },
  ])('does not have the reason %j', (reason) => {
    expect(isRecordReason(reason)).toBe(false);
  });
});
