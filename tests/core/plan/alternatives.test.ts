import { describe, expect, test } from '@jest/globals';
import { allOf, anyOf, type Condition, type Leaf } from '../../../src/core/conditions/condition.ts';
import { alternativesOf, mentionsNames, nameOf } from '../../../src/core/plan/alternatives.ts';
import { ConditionKeys } from '../../../src/core/plan/condition-keys.ts';
import { leaf } from './leaf.ts';

const MANY = 1000;

function many(item: (index: number) => Condition): Condition[] {
  return Array.from({ length: MANY }, (_, index) => item(index));
}

function named(name: string): Leaf {
  return { ...leaf(name), subject: 'property', paths: [[{ kind: 'name', name }]] };
}

/** The parts of conditions, those that several share once. */
function sizeOf(conditions: readonly Condition[]): number {
  const met = new Set<Condition>();
  const left = [...conditions];
  for (let condition = left.pop(); condition !== undefined; condition = left.pop()) {
    if (met.has(condition)) continue;
    met.add(condition);
    if (condition.kind !== 'leaf') for (const part of condition.of) left.push(part);
  }
  return met.size;
}

/** A condition with two alternatives. */
function twoNames(index: number): Condition {
  return allOf([anyOf([named(`a${index}`), named(`b${index}`)]), leaf(`c${index}`), leaf('d')]);
}

describe('many alternatives beside many conditions', () => {
  const others = many((index) => leaf(`other${index}`));
  const either = anyOf(many((index) => allOf([named(`name${index}`), leaf(`own${index}`)])));
  const alternatives = alternativesOf(allOf([either, ...others]));

  test('are each about a name of its own', () => {
    expect(alternatives).toHaveLength(MANY);
    expect(alternatives.map((one) => nameOf(one)?.paths)).toEqual(
      Array.from({ length: MANY }, (_, index) => [[{ kind: 'name', name: `name${index}` }]]),
    );
  });

  test('share the conditions', () => {
    expect(sizeOf(alternatives)).toBeLessThan(5 * MANY);
  });

  test('have keys that are no longer than each of them', () => {
    const keys = new ConditionKeys();
    const lengths = alternatives.map((one) => keys.of(one).length);
    expect(Math.max(...lengths)).toBeLessThan(10);
    expect(new Set(alternatives.map((one) => keys.of(one))).size).toBe(MANY);
  });
});

test('alternatives in alternatives share what is beside each of them', () => {
  const others = many((index) => leaf(`other${index}`));
  const alternatives = alternativesOf(allOf([anyOf(many(twoNames)), ...others]));
  expect(alternatives).toHaveLength(2 * MANY);
  expect(sizeOf(alternatives)).toBeLessThan(12 * MANY);
  expect(alternatives.every((one) => nameOf(one) !== undefined)).toBe(true);
});

test('a condition of many parts that has no names has none the second time, and one with names has them', () => {
  const without = allOf(many((index) => leaf(`other${index}`)));
  const within = allOf([...many((index) => leaf(`other${index}`)), named('ssn')]);
  for (const time of [1, 2]) {
    expect([time, mentionsNames(without), mentionsNames(within)]).toEqual([time, false, true]);
    expect(mentionsNames(anyOf([without, within]))).toBe(true);
  }
});

test('conditions have the same key only if they ask the same', () => {
  const keys = new ConditionKeys();
  const key = (condition: Condition): string => keys.of(condition);
  expect(key(allOf([leaf('a'), leaf('b')]))).toBe(key(allOf([leaf('a'), leaf('b')])));
  const different = [
    leaf('a'),
    named('a'),
    allOf([leaf('a'), leaf('b')]),
    anyOf([leaf('a'), leaf('b')]),
    allOf([leaf('b'), leaf('a')]),
    allOf([leaf('a'), anyOf([leaf('b'), leaf('c')])]),
    allOf([leaf('a'), leaf('b'), leaf('c')]),
  ];
  expect(new Set(different.map(key)).size).toBe(different.length);
});
