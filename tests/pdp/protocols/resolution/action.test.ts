import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../../../src/core/index.ts';
import { readAction } from '../../../../src/pdp/decisions/action.ts';

function read(action: string): readonly [priority: bigint | undefined, text: string] {
  const { priority, text } = readAction({ action }, [], NO_MASK_KEYS);
  return [priority, text];
}

function readAs(action: string, value: string) {
  return readAction({ action, value }, [], NO_MASK_KEYS);
}

describe('an action with a priority', () => {
  test('is the same action as without', () => {
    const plain = readAction({ action: 'last(4)' }, [], NO_MASK_KEYS);
    const first = readAction({ action: '1::last(4)' }, [], NO_MASK_KEYS);
    expect(first.action).toBe(plain.action);
    expect(first.priority).toBe(1n);
    expect(plain.priority).toBeUndefined();
  });

  test('may have blanks around the priority', () => {
    expect(read(' 1::MASK')).toEqual([1n, 'MASK']);
    expect(read('\t12 ::last(4)')).toEqual([12n, 'last(4)']);
  });

  test('is read without the blanks around it, and so is one without a priority', () => {
    expect(read('1::  last(4) ')).toEqual([1n, 'last(4)']);
    const blank = readAction({ action: '  filter\n' }, [], NO_MASK_KEYS);
    expect([blank.action.kind, blank.text]).toEqual(['filter', 'filter']);
  });

  test('may have a thousand digits', () => {
    expect(read(`${'7'.repeat(1000)}::MASK`)[0]).toBe(BigInt('7'.repeat(1000)));
    expect(() => read(`${'7'.repeat(1001)}::MASK`)).toThrow('a priority of more than 1000 digits');
  });

  test('is refused if nothing is behind the priority, also as a value', () => {
    expect(() => read('3::')).toThrow('an action without a value');
    expect(() => readAs('SET', ' 3::')).toThrow('an action without a value');
  });

  test('has the priority of its name if its value is empty', () => {
    expect(readAs('3::SET', '')).toMatchObject({ priority: 3n, text: '' });
    expect(readAs('3::last(4)', '')).toMatchObject({ priority: 3n, text: 'last(4)' });
    expect(readAs('3::SET', '4::x')).toMatchObject({ priority: 4n, text: 'x' });
  });

  test('is a literal if what follows looks like another priority, whatever was read before', () => {
    for (let time = 0; time < 2; time++) {
      expect(read('1::2::x')).toEqual([1n, '2::x']);
      expect(read('2::x')).toEqual([2n, 'x']);
      expect(read('x')).toEqual([undefined, 'x']);
    }
  });
});

describe('an action that uses a key', () => {
  const keys = new Map([['k', { current: createSecretKey(Buffer.alloc(32, 7)) }]]);

  test('is another one with other keys, and refused without them, whatever was read before', () => {
    const hash = { action: 'hash(k)' };
    const others = new Map([['k', { current: createSecretKey(Buffer.alloc(32, 8)) }]]);
    const first = readAction(hash, [], keys).action;
    expect(readAction(hash, [], keys).action).toBe(first);
    expect(readAction(hash, [], others).action).not.toBe(first);
    expect(() => readAction(hash, [], NO_MASK_KEYS)).toThrow('uses a key that maskKeys');
  });
});
