import { describe, expect, test } from '@jest/globals';
import { Automaton } from '../../../src/core/paths/automaton.ts';
import { ElementSteps } from '../../../src/core/paths/element-steps.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { literalSegment, type Segment } from '../../../src/core/paths/path.ts';
import type { ElementStep } from '../../../src/core/paths/route.ts';

const SEGMENTS = 300;
const ARRAYS = 400;

interface Counted {
  readonly segments: readonly Segment[];
  looks: number;
}

/** Segments, of which each counts how often it is looked at. @param make calls `look` when it is */
function counting(make: (index: number, look: () => void) => Segment): Counted {
  const segments: Segment[] = [];
  const counted = { segments, looks: 0 };
  for (let index = 0; index < SEGMENTS; index++) segments.push(make(index, () => counted.looks++));
  return counted;
}

function countingSlices(first: number): Counted {
  return counting((index, look) => ({
    kind: 'slice',
    get from() {
      look();
      return first + index;
    },
    to: Infinity,
    step: 1,
  }));
}

/** Unions of two indexes. */
function countingUnions(): Counted {
  return counting((index, look) => ({
    kind: 'union',
    get of() {
      look();
      return [literalSegment(`${index}`), literalSegment(`${index + 5}`)];
    },
  }));
}

function stepTo(steps: ElementSteps, index: number, length: () => number): ElementStep {
  return steps.stepOf(steps.classes.inArray(length).at(index), index, length);
}

describe('what segments make of the elements of short arrays is found out once', () => {
  test.each([
    ['from the start', 0],
    ['from the end', -SEGMENTS],
  ])('by steps, counted %s', (_name, first) => {
    const counted = countingSlices(first);
    const steps = new ElementSteps(counted.segments, undefined);
    for (let array = 0; array < ARRAYS; array++)
      for (let index = 0; index < 3; index++) stepTo(steps, index, () => 3);
    expect(counted.looks).toBeLessThan(30 * SEGMENTS);
  });

  test.each([
    ['from the start', 0],
    ['from the end', -SEGMENTS],
  ])('by states, counted %s', (_name, first) => {
    const counted = countingSlices(first);
    const { start } = new Automaton(counted.segments.map((slice) => [slice, { kind: 'name', name: 'a' }]));
    for (let array = 0; array < ARRAYS; array++)
      for (let index = 0; index < 3; index++) start.element(index, () => 3);
    expect(counted.looks).toBeLessThan(30 * SEGMENTS);
  });

  test('elements of arrays of other lengths are other ones, if segments count from the end', () => {
    const steps = new ElementSteps(parsePath('$[-1]'), undefined);
    const last = stepTo(steps, 2, () => 3);
    expect(stepTo(steps, 2, () => 4)).not.toBe(last);
    expect(stepTo(steps, 2, () => 3)).toBe(last);
  });
});

function manyElements(): number {
  return SEGMENTS * 10;
}

describe('unions of indexes are not looked through for each element', () => {
  test('by steps', () => {
    const counted = countingUnions();
    const steps = new ElementSteps(counted.segments, undefined);
    for (let index = 0; index < manyElements(); index++) stepTo(steps, index, manyElements);
    expect(counted.looks).toBeLessThan(30 * SEGMENTS);
  });

  test('by states', () => {
    const counted = countingUnions();
    const { start } = new Automaton(counted.segments.map((union) => [union, { kind: 'name', name: 'a' }]));
    for (let index = 0; index < manyElements(); index++) start.element(index, manyElements);
    expect(counted.looks).toBeLessThan(30 * SEGMENTS);
  });
});
