import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parsePath } from '../../../src/core/paths/parse.ts';
import type { Wildcard } from '../../../src/core/paths/wildcard.ts';
import { WildcardSet } from '../../../src/core/paths/wildcard-set.ts';

function wildcard(text: string): Wildcard[] {
  return parsePath(text).flatMap((segment) => (segment.kind === 'wildcard' ? [segment.wildcard] : []));
}

/** Names that are in one class and are covered by other wildcards, given as text or as bytes. */
function confused(wildcards: readonly Wildcard[], names: readonly string[]): readonly string[] {
  const set = new WildcardSet(wildcards);
  const coveringBy = new Map<number, string>();
  return names.filter((name) => {
    const expected = wildcards.map((one) => one.matches(name)).join(' ');
    const found = [set.of(name), set.at(Buffer.from(`"${name}"`), 1)];
    return found.some((covering) => {
      if (covering === undefined) return /^\p{ASCII}*$/u.test(name);
      const before = coveringBy.get(covering.number) ?? expected;
      coveringBy.set(covering.number, before);
      return before !== expected;
    });
  });
}

const unit = fc.constantFrom('a', 'b', 'c', 'é', '\ud83d\ude00', '1');
const text = fc.string({ unit: fc.oneof(unit, fc.constantFrom('*', '?')), minLength: 1, maxLength: 7 });

test('names of one class are covered by the same wildcards', () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 40 }),
      fc.array(fc.string({ unit, maxLength: 8 }), { maxLength: 40 }),
      (texts, names) => {
        expect(confused(texts.flatMap(wildcard), names)).toEqual([]);
      },
    ),
    { numRuns: 1000 },
  );
});

test('a class knows the wildcards that cover its names', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), fc.string({ unit, maxLength: 8 }), (texts, name) => {
      const wildcards = texts.flatMap(wildcard);
      const set = new WildcardSet(wildcards);
      const covering = new Set(set.of(name).wildcards);
      const found = wildcards.filter((one) => covering.has(set.numberOf(one) ?? -1));
      expect(found).toEqual(wildcards.filter((one) => one.matches(name)));
    }),
    { numRuns: 1000 },
  );
});

test('names of one class are covered by the same wildcards if they come in more ways than are kept', () => {
  const letters = Array.from({ length: 24 }, (_, index) => String.fromCharCode(97 + index));
  const wildcards = letters.flatMap((letter) => wildcard(`*${letter}*`)).concat(wildcard('?*b?a*'));
  const names = fc.sample(fc.string({ unit: fc.constantFrom(...letters), maxLength: 20 }), {
    numRuns: 20_000,
    seed: 1,
  });
  expect(confused(wildcards, names)).toEqual([]);
});
