import { describe, expect, test } from '@jest/globals';
import { Automaton } from '../../../src/core/paths/automaton.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import type { Path } from '../../../src/core/paths/path.ts';
import type { PositionSet } from '../../../src/core/paths/position-set.ts';
import type { State } from '../../../src/core/paths/state.ts';

const PATHS = 2000;
const RECORD: Path = [{ kind: 'record', purpose: 'match' }];

function many(path: (index: number) => string): readonly Path[] {
  return Array.from({ length: PATHS }, (_unused, index) => parsePath(path(index)));
}

function fromRecord(paths: readonly Path[]): readonly Path[] {
  return paths.map((path) => [...RECORD, ...path]);
}

function length(): number {
  return PATHS;
}

/** How many positions there are in all that these states come to. */
function positionsOf(states: readonly (State | undefined)[]): number {
  const sets = new Set<PositionSet>(states.flatMap((state) => state?.sets ?? []));
  return [...sets].reduce((sum, { positions }) => sum + positions.length, 0);
}

function allOf(step: (index: number) => State | undefined): readonly (State | undefined)[] {
  return Array.from({ length: PATHS }, (_unused, index) => step(index));
}

describe('the states that many paths lead to share their positions', () => {
  test.each([
    ['indexes', many((index) => `${index}.a`)],
    ['indexes of lists', many((index) => `${index}.#.a`)],
    ['indexes below the payload', many((index) => `json.${index}.a`)],
    ['negative indexes', many((index) => `$[-${index + 1}].a`)],
    ['indexes beside all elements', [...many((index) => `${index}.a`), ...many((index) => `#.b${index}`)]],
    ['indexes anywhere', many((index) => `$..[${index}].a`)],
  ])('%s', (_name, paths) => {
    const { start } = new Automaton([...paths, ...fromRecord(paths)]);
    const states = allOf((index) => start.element(index, length)?.inRecord());
    expect(positionsOf(states)).toBeLessThan(10 * paths.length);
  });

  test.each([
    ['names beside all names', [...many((index) => `n${index}.a`), ...many((index) => `$.*.b${index}`)]],
    ['names anywhere', many((index) => `$..n${index}.a`)],
    ['names anywhere below others', many((index) => `$..n${index}..a`)],
  ])('%s', (_name, paths) => {
    const { start } = new Automaton(paths);
    expect(positionsOf(allOf((index) => start.memberNamed(`n${index}`)))).toBeLessThan(10 * paths.length);
  });
});
