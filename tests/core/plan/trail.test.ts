import { expect, test } from '@jest/globals';
import { Comparison } from '../../../src/core/conditions/comparison.ts';
import type { Leaf } from '../../../src/core/conditions/condition.ts';
import type { ValueType } from '../../../src/core/conditions/value-type.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { ANY_ELEMENT, type Step } from '../../../src/core/paths/route.ts';
import { Naming } from '../../../src/core/plan/naming.ts';
import { Trails } from '../../../src/core/plan/trail.ts';

function leaf(
  subject: 'property' | 'prefix',
  relation: 'equals' | 'startsWith' | 'contains' | 'less',
  value: string,
  type: ValueType = 'STRING',
): Leaf {
  const comparison = new Comparison({ relation, negated: false }, type, [value], false);
  const paths = relation === 'equals' ? [parsePath(value)] : [];
  const attribute = { path: [], isAnchored: false };
  return {
    kind: 'leaf',
    subject,
    comparison,
    attribute,
    paths,
    written: { attribute: subject, operator: 'EQUALS' },
    values: [value],
    key: `${subject} ${value}`,
  };
}

function trailsFor(...of: Leaf[]): Trails {
  return new Trails(new Naming({ kind: 'all', of }, { isJsonNamed: true, rootWord: undefined }));
}

/** How many trails the ends of some routes are. */
function countEnds(trails: Trails, routes: readonly (readonly Step[])[]): number {
  const top = trails.top().enterRecord();
  return new Set(routes.map((steps) => steps.reduce((trail, step) => trail.to(step), top))).size;
}

test('names that a condition does not distinguish lead to one trail', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => [`k${index}`]);
  expect(countEnds(trailsFor(leaf('property', 'startsWith', 'x')), names)).toBe(1);
  expect(countEnds(trailsFor(leaf('property', 'contains', 'yy')), names)).toBe(1);
});

test('deep routes lead to few trails under conditions on prefix and name', () => {
  const trails = trailsFor(leaf('prefix', 'startsWith', 'b'), leaf('property', 'equals', 'ssn'));
  const objects = Array.from({ length: 400 }, (_, depth) => Array.from({ length: depth }, () => 'a'));
  const arrays = Array.from({ length: 400 }, (_, depth) => Array.from({ length: depth }, () => ANY_ELEMENT));
  expect(countEnds(trails, objects)).toBeLessThan(10);
  expect(countEnds(trails, arrays)).toBeLessThan(40);
});

test('indexes that compare alike with a number lead to one trail, however many digits they share with it', () => {
  const trails = trailsFor(leaf('property', 'less', '12345', 'NUMBER'));
  const elements = Array.from({ length: 100_000 }, (_, index) => [{ index, length: NaN }]);
  expect(countEnds(trails, elements)).toBeLessThan(30);
});
