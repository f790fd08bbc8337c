import { describe, expect, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../../../src/core/index.ts';
import { readAction } from '../../../../src/pdp/decisions/action.ts';

function read(action: string): readonly [priority: bigint | undefined, text: string] {
  const { priority, text } = readAction({ action }, [], NO_MASK_KEYS);
  return [priority, text];
}

describe('an action with a priority', () => {
  test('is the same action as without', () => {
    const plain = readAction({ action: 'last(4)' }, [], NO_MASK_KEYS);
    const first = readAction({ action: '1::last(4)' }, [], NO_MASK_KEYS);
    expect(first.action).toBe(plain.action);
    expect(first.priority).toBe(1n);
    expect(plain.priority).toBeUndefined();
  });

  test('may have a thousand digits', () => {
    expect(read(`${'7'.repeat(1000)}::MASK`)[0]).toBe(BigInt('7'.repeat(1000)));
    expect(() => read(`${'7'.repeat(1001)}::MASK`)).toThrow('a priority of more than 1000 digits');
  });

  test('is a literal if what follows looks like another priority, whatever was read before', () => {
    for (let time = 0; time < 2; time++) {
      expect(read('1::2::x')).toEqual([1n, '2::x']);
      expect(read('2::x')).toEqual([2n, 'x']);
      expect(read('x')).toEqual([undefined, 'x']);
    }
  });
});
