import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Comparison } from '../../../src/core/conditions/comparison.ts';
import type { Relation } from '../../../src/core/conditions/relation.ts';
import type { Leaf } from '../../../src/core/conditions/condition.ts';
import type { ValueType } from '../../../src/core/conditions/value-type.ts';
import { elementsOf, TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
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

const ORDERS: readonly Relation[] = ['less', 'lessOrEqual', 'greater', 'greaterOrEqual'];

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

test('a name has the same class where it is in a text, and an index that of its digits', () => {
  fc.assert(
    fc.property(
      fc.array(compared, { maxLength: 4 }),
      fc.array(fc.constantFrom('a*', '*1', 'b', '?'), { maxLength: 2 }),
      fc.array(name, { minLength: 1, maxLength: 12 }),
      fc.nat(20_000),
      (asked, paths, names, index) => {
        const leaves = asked.map(({ relation, values }) => leafOn(relation, values));
        const classes = new NameClasses(
          paths.flatMap((path) => parsePath(path)),
          textsIn(leaves),
        );
        const doc = scan(Buffer.from(JSON.stringify(names)), 2);
        const found = Array.from(elementsOf(doc, TOP), (node) => classes.at(doc, node));
        expect(found).toEqual(names.map((one) => classes.of(one)));
        expect(classes.ofIndex(index)).toBe(classes.of(String(index)));
      },
    ),
    { numRuns: 1000 },
  );
});

test('names are alike if nothing that is sought is in them', () => {
  const values = Array.from({ length: 200 }, (_, index) => `y${index}`);
  const classes = new NameClasses([...parsePath('*x*')], textsIn([leafOn('contains', values)]));
  const found = Array.from({ length: 5000 }, (_, index) => classes.of(`name${index}`));
  expect(new Set(found).size).toBe(1);
});

/** Of the same length, and of the same beginning followed by zeros or not. */
const DIGITS = ['0', '1', '2', '5', '05', '10', '12', '99', '100', '101', '102', '050', '051', '500', '501'];
const digits = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...DIGITS) },
  fc.string({ unit: fc.constantFrom('0', '1', '2', '9'), minLength: 1, maxLength: 5 }),
);
const withExponent = fc
  .tuple(
    fc.constantFrom('5', '05', '12', '99', '-5', '0', '00'),
    fc.constantFrom('e', 'E-', 'e+'),
    fc.constantFrom('0', '1', '2', '02', '63', '64', '65', '400', '9'.repeat(17)),
  )
  .map((parts) => parts.join(''));
const numeric = fc.oneof(
  { weight: 4, arbitrary: digits },
  digits.map((text) => `-${text}`),
  { weight: 4, arbitrary: withExponent },
  fc
    .tuple(fc.constantFrom('', '-'), digits, digits, fc.constantFrom('', 'e1', 'e-2'))
    .map(([sign, whole, part, end]) => `${sign}${whole}.${part}${end}`),
  fc.constantFrom(
    '-0',
    '-0',
    '',
    'a',
    '-',
    '--1',
    '1e',
    '1.',
    '.5',
    '1.2.3',
    '9'.repeat(64),
    '-1' + '0'.repeat(63),
  ),
);
const SECONDS = [
  '00:00:00',
  '00:00:01',
  '23:59:58',
  '23:59:59',
  '23:59:60',
  '24:00:00',
  '10:20:61',
  '25:00:00',
  '12:30',
];
const instantPart = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('2026-01-01', '2025-12-31', '2020-02-30', '2030-06-30'),
      fc.constantFrom(...SECONDS),
    )
    .map(([date, time]) => `${date}T${time}`),
  digits,
  fc
    .tuple(digits, fc.constantFrom('Z', '+01', '-00:00', '-05:00', '+23:59', '+24:00', '+01:60', '-'))
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('2026-01-01', '2025-12-31', '2030-06-30', '+12026-01-01'),
      fc.constantFrom(
        'T00',
        'T23:59',
        'T24:00',
        ...SECONDS.flatMap((time) => [`T${time}`, `T${time}.50`, `T${time},05`]),
      ),
      fc.constantFrom('', 'Z', '+00:01', '-23:59', '+01'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('2026-01-01', '2025-12-31T23:59:59Z', '2026-01-01T00:00:00,5', ''),
);
const bound = {
  NUMBER: fc.tuple(
    fc.constantFrom('', '', '-'),
    fc.constantFrom('0', '1', '100', '1.05', '0.05', '102', '9e2', '1e64', '5e-64', `9e${'9'.repeat(17)}`),
  ),
  DATETIME: fc.tuple(
    fc.constantFrom('2026-01-01T00:00:00', '2025-12-31T23:59:59', '2025-12-31'),
    fc.constantFrom('.5', '.05', '.12', '.9Z', ''),
  ),
};

describe.each([
  ['NUMBER', numeric, bound.NUMBER.map((parts) => parts.join(''))],
  [
    'DATETIME',
    instantPart,
    bound.DATETIME.map(([second, fraction]) => (second.includes('T') ? second + fraction : second)),
  ],
] as const)('of names that may be compared as %s', (type, part, value) => {
  const typed = fc
    .array(fc.tuple(fc.constantFrom(...ORDERS), fc.array(value, { minLength: 1, maxLength: 2 })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((asked) => asked.map(([relation, values]) => leafOn(relation, values, type)));

  test('those of one class are alike for every comparison of a path that they are a part of', () => {
    fc.assert(
      fc.property(
        typed,
        fc.array(part, { minLength: 2, maxLength: 20 }),
        fc.array(part, { minLength: 1, maxLength: 6 }),
        (leaves, names, others) => {
          const classes = new NameClasses([], textsIn(leaves));
          const outcomeOf = (one: string) =>
            [one, ...others.flatMap((other) => [`${other}.${one}`, `${one}.${other}`])].map((path) =>
              leaves.map(({ comparison }) => comparison.fits(path)),
            );
          for (const group of Map.groupBy(names, (one) => classes.of(one, others)).values())
            for (const one of group) expect(outcomeOf(one)).toEqual(outcomeOf(group[0] ?? ''));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('those of one class are alike for every comparison of a path that ends in them, if nothing follows', () => {
    fc.assert(
      fc.property(
        typed,
        fc.array(part, { minLength: 2, maxLength: 20 }),
        fc.array(part, { minLength: 1, maxLength: 6 }),
        (leaves, names, others) => {
          const classes = new NameClasses([], textsIn(leaves));
          const doc = scan(Buffer.from(JSON.stringify(names)), 2);
          const elements = [...elementsOf(doc, TOP)];
          const outcomeOf = (at: number) =>
            [names[at] ?? '', ...others.map((other) => `${other}.${names[at]}`)].map((path) =>
              leaves.map(({ comparison }) => comparison.fits(path)),
            );
          const groups = Map.groupBy(names.keys(), (at) =>
            classes.at(doc, elements[at] ?? TOP, others, true),
          );
          for (const group of groups.values())
            for (const at of group) expect(outcomeOf(at)).toEqual(outcomeOf(group[0] ?? 0));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('indexes of one class are alike for every comparison of a path that they are a part of', () => {
    fc.assert(
      fc.property(
        typed,
        fc.array(fc.oneof(fc.nat(20), fc.nat(2000)), { minLength: 2, maxLength: 20 }),
        fc.array(part, { minLength: 1, maxLength: 6 }),
        (leaves, indexes, others) => {
          const classes = new NameClasses([], textsIn(leaves));
          const outcomeOf = (index: number) =>
            [`${index}`, ...others.flatMap((other) => [`${other}.${index}`, `${index}.${other}`])].map(
              (path) => leaves.map(({ comparison }) => comparison.fits(path)),
            );
          for (const group of Map.groupBy(indexes, (index) => classes.ofIndex(index)).values())
            for (const index of group) expect(outcomeOf(index)).toEqual(outcomeOf(group[0] ?? 0));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('the beginning of a path compares as the path does, whatever follows', () => {
    fc.assert(
      fc.property(typed, fc.array(part, { minLength: 1, maxLength: 30 }), (leaves, parts) => {
        for (const { comparison } of leaves)
          for (const [first, next = ''] of parts.map((one, at) => [one, parts[at + 1]] as const)) {
            const beginning = comparison.beginningOf(first);
            const goesOn =
              typeof beginning === 'string' ? comparison.fits(`${beginning}.${next}`) : beginning;
            const ends = typeof beginning === 'string' ? comparison.fits(beginning) : beginning;
            expect([ends, goesOn]).toEqual([comparison.fits(first), comparison.fits(`${first}.${next}`)]);
          }
      }),
      { numRuns: 1000 },
    );
  });
});

test('indexes and names of digits are alike if they are as far from a number', () => {
  const classes = new NameClasses([], textsIn([leafOn('less', ['5'], 'NUMBER')]));
  const found = Array.from({ length: 100_000 }, (_, index) => classes.of(String(index)));
  expect(new Set(found).size).toBeLessThan(200);
  expect(classes.of('4')).not.toBe(classes.of('6'));
  expect(classes.of('name')).toBe(classes.of('other'));
});

/** How many classes digits have if paths are compared with forty numbers of digits in the same way. */
function classesOfDigits(relation: Relation, type: ValueType): number {
  const leaves = Array.from({ length: 40 }, (_, index) => leafOn(relation, [`1${index}`], type));
  const classes = new NameClasses([], textsIn(leaves));
  return new Set(Array.from({ length: 100_000 }, (_, index) => classes.of(String(index)))).size;
}

test('digits under many bounds, or with many ends, are of few classes', () => {
  expect(classesOfDigits('less', 'NUMBER')).toBeLessThan(600);
  expect(classesOfDigits('endsWith', 'STRING')).toBeLessThan(100);
});
