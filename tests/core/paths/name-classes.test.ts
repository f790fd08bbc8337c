import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Comparison } from '../../../src/core/conditions/comparison.ts';
import type { Relation } from '../../../src/core/conditions/relation.ts';
import type { Leaf } from '../../../src/core/conditions/condition.ts';
import type { ValueType } from '../../../src/core/conditions/value-type.ts';
import { NameClasses, NO_TEXTS } from '../../../src/core/paths/name-classes.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import { matchesName } from '../../../src/core/paths/path.ts';
import { textsIn } from '../../../src/core/plan/naming.ts';

const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '1', 'é', '\ud83d', '\ude00'), maxLength: 5 });
const RELATIONS: readonly Relation[] = ['startsWith', 'contains', 'endsWith', 'less', 'greaterOrEqual'];
const compared = fc.record({
  relation: fc.constantFrom(...RELATIONS),
  values: fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '.', '1', 'é', '\ude00'), maxLength: 7 }), {
    minLength: 1,
    maxLength: 3,
  }),
});

function leafOn(relation: Relation, values: readonly string[], type: ValueType = 'STRING'): Leaf {
  const comparison = new Comparison({ relation, negated: false }, type, values, false);
  const attribute = { path: [], isAnchored: false };
  return {
    kind: 'leaf',
    subject: 'property',
    comparison,
    attribute,
    paths: [],
    written: { attribute: 'column', operator: 'EQUALS' },
    values,
    key: '',
  };
}

test('names of one class are alike for every comparison of a path that they are a part of', () => {
  fc.assert(
    fc.property(
      fc.array(compared, { minLength: 1, maxLength: 4 }),
      fc.array(name, { minLength: 2, maxLength: 12 }),
      fc.array(fc.tuple(fc.array(name, { maxLength: 2 }), fc.array(name, { maxLength: 2 })), {
        minLength: 1,
      }),
      (asked, names, around) => {
        const leaves = asked.map(({ relation, values }) => leafOn(relation, values));
        const classes = new NameClasses([], textsIn(leaves));
        const outcomeOf = (one: string) =>
          around.map(([before, behind]) =>
            leaves.map(({ comparison }) => comparison.fits([...before, one, ...behind].join('.'))),
          );
        for (const group of Map.groupBy(names, (one) => classes.of(one)).values())
          for (const one of group) expect(outcomeOf(one)).toEqual(outcomeOf(group[0] ?? ''));
      },
    ),
    { numRuns: 2000 },
  );
});

test('names of one class are alike for every path', () => {
  const segments = fc.string({
    unit: fc.constantFrom('a', 'b', '*', '?', '1', '#'),
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.array(segments, { minLength: 1, maxLength: 6 }), fc.array(name), (paths, names) => {
      const all = paths.flatMap((path) => parsePath(path));
      const classes = new NameClasses(all, NO_TEXTS);
      const outcomeOf = (one: string) => all.map((segment) => matchesName(segment, one));
      for (const group of Map.groupBy(names, (one) => classes.of(one)).values())
        for (const one of group) expect(outcomeOf(one)).toEqual(outcomeOf(group[0] ?? ''));
    }),
    { numRuns: 1000 },
  );
});

test('names are alike if nothing that is sought is in them', () => {
  const values = Array.from({ length: 200 }, (_, index) => `y${index}`);
  const classes = new NameClasses([...parsePath('*x*')], textsIn([leafOn('contains', values)]));
  const found = Array.from({ length: 5000 }, (_, index) => classes.of(`name${index}`));
  expect(new Set(found).size).toBe(1);
});

test('a name that may read as a number is alike to none other if names are compared as numbers', () => {
  const classes = new NameClasses([], textsIn([leafOn('less', ['5'], 'NUMBER')]));
  expect(classes.of('4')).not.toBe(classes.of('6'));
  expect(classes.of('name')).toBe(classes.of('other'));
});
