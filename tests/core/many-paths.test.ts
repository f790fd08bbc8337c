import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { access, entry } from '../reference/interpretations/table.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';
import { agreeOn, PAYLOADS, problemOf, shortPaths } from './short-paths.ts';

/** More, and others, by hand: `RUNS=2000 SEED=7 npx jest tests/core/many-paths`. */
const RUNS = Number(process.env['RUNS'] ?? 40);
const SEED = Number(process.env['SEED'] ?? 5);

/** So many that states share the positions in most of them. */
const MANY = 100;

const path = fc.constantFrom(...['ssn', 'id', 'c', 'new'].flatMap(shortPaths));
const action = fc.constantFrom('MASK', '5::last(1)', 'remove()');
const literal = fc.constantFrom('one', '2::two');

/** Paths that name nothing in any payload, as many of each kind. */
const FOREIGN = [
  'f',
  'r.f',
  'json.f',
  '#.f',
  '*.f',
  'r.#.f',
  '$[*].f',
  '$.r[*].f',
  '$..r.f',
  '$[0,1].f',
  '$[1:].f',
].flatMap((one) => Array.from({ length: MANY }, (_unused, number) => entry(`${one}${number}`)));
const INDEXED = ['', 'json.', 'r.', 'd.r.', '#.'].flatMap((before) =>
  Array.from({ length: MANY }, (_unused, index) => entry(`${before}${index}.f`)),
);

test('many paths are followed as the naive reference follows them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAYLOADS),
      fc.array(fc.tuple(path, action), { minLength: 60, maxLength: 250 }),
      async (payload, rules) => {
        const entries = rules.map(([column, does]) => entry(column, does));
        expect(await agreeOn(payload, [access(...entries)])).toBe(true);
      },
    ),
    { numRuns: RUNS, seed: SEED },
  );
});

test('many paths that name nothing change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAYLOADS),
      fc.array(fc.tuple(path, fc.oneof(action, literal)), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(FOREIGN, INDEXED, [...FOREIGN, ...INDEXED]),
      async (payload, rules, foreign) => {
        const entries = rules.map(([column, does]) => entry(column, does));
        const alone = await coreEnforce(problemOf(payload, [access(...entries)]));
        const among = await coreEnforce(problemOf(payload, [access(...entries, ...foreign)]));
        expect(comparable(among)).toEqual(comparable(alone));
      },
    ),
    { numRuns: RUNS, seed: SEED },
  );
});
