import { describe, expect, test } from '@jest/globals';
import { TOP } from '../../../src/core/json/document.ts';
import { firstIn, namesOf, type JsonDocument } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { Attribute } from '../../../src/core/paths/attribute.ts';
import { Automaton } from '../../../src/core/paths/automaton.ts';
import { ElementSteps } from '../../../src/core/paths/element-steps.ts';
import { NO_TEXTS } from '../../../src/core/paths/name-classes.ts';
import { parsePath } from '../../../src/core/paths/parse.ts';
import type { Path } from '../../../src/core/paths/path.ts';
import type { Route } from '../../../src/core/paths/route.ts';
import { visitMatches } from '../../../src/core/paths/select.ts';

let routes = 0;

/** Each is another one. */
function newRoute(): Route {
  return {
    number: routes++,
    awaitsElement: false,
    before: [],
    to: newRoute,
    atSoleElement: newRoute,
    atRoot: newRoute,
    enterRecord: newRoute,
  };
}

/** More than states are kept. */
const NAMES = 5000;

const RECORD: Path = [{ kind: 'record', purpose: 'match' }];

function located(value: unknown): JsonDocument {
  return scan(Buffer.from(JSON.stringify(value)), 2000);
}

function namedFrom(count: number, name: string): JsonDocument {
  return located(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 1])));
}

function visited(path: string, doc: JsonDocument): number {
  let count = 0;
  visitMatches(doc, TOP, new Automaton([parsePath(path)]).start, 'all', () => count++);
  return count;
}

/** Each of its states leads to another one by each name of {@link namedFrom}. */
function automatonOfRoutes(): Automaton {
  const segments = Array.from(
    { length: NAMES },
    (_, index) => ({ kind: 'name', name: `id${index}` }) as const,
  );
  const elements = new ElementSteps([], undefined);
  return new Automaton([RECORD], { routes: { top: newRoute(), elements, texts: NO_TEXTS, segments } });
}

describe('the states of an automaton', () => {
  test('are kept for the names of a payload, after one that had more names than are kept', () => {
    const automaton = automatonOfRoutes();
    const start = automaton.start.inRecord();
    visitMatches(namedFrom(NAMES, 'id'), TOP, start, 'all', () => undefined);
    const next = located({ ssn: 1 });
    const first = start.member(next, firstIn(TOP));
    const again = start.member(located({ ssn: 2 }), firstIn(TOP));
    expect(first).toBeDefined();
    expect(again).toBe(first);
  });

  test('are kept if they know routes, after more names of the same payload than are kept', () => {
    const automaton = automatonOfRoutes();
    const start = automaton.start.inRecord();
    const doc = namedFrom(NAMES, 'id');
    visitMatches(doc, TOP, start, 'all', () => undefined);
    const last = [...namesOf(doc, TOP)].at(-1) ?? NaN;
    const first = start.member(doc, last);
    const again = start.member(doc, last);
    expect(first).toBeDefined();
    expect(again).toBe(first);
    expect(automaton.keptStates).toBeLessThan(4200);
  });

  test('are no more than a bound, whatever names a payload has', () => {
    const automaton = new Automaton([parsePath('*'), parsePath('*a*'), parsePath('$..b')]);
    visitMatches(namedFrom(10_000, 'a'), TOP, automaton.start, 'all', () => undefined);
    expect(automaton.keptStates).toBeLessThan(2100);
  });

  test('are few if names differ only in ways that no path asks for', () => {
    const automaton = new Automaton([parsePath('$..ssn')]);
    visitMatches(namedFrom(10_000, 'a'), TOP, automaton.start, 'all', () => undefined);
    expect(automaton.keptStates).toBeLessThan(5);
  });

  test('lead by many wildcards where each leads alone, however many names are met', () => {
    const patterns = [
      '*',
      'a*',
      '?1',
      '1?',
      ...Array.from({ length: 30 }, (_, index) => `*${index}`),
      'a?',
      '*5',
    ];
    const paths = patterns.map((pattern) => parsePath(pattern));
    const doc = located(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`a${index}`, 1])));
    const together = new Map<number, readonly number[]>();
    visitMatches(doc, TOP, new Automaton(paths).start, 'all', (node, ends) => together.set(node, ends));
    const alone = new Map<number, number[]>();
    for (const [number, path] of paths.entries())
      visitMatches(doc, TOP, new Automaton([path]).start, 'all', (node) =>
        alone.set(node, [...(alone.get(node) ?? []), number]),
      );
    expect(together).toEqual(alone);
  });

  test('lead through as many steps of .. as a path may have', () => {
    const deep = Array.from({ length: 256 }).reduce<unknown>((inner) => ({ a: inner }), 1);
    expect(visited(`$${'..a'.repeat(256)}`, located(deep))).toBe(1);
    expect(visited(`$${'..a'.repeat(254)}`, located(deep))).toBe(3);
  });

  test('select the elements of slices, unions and indexes from the end', () => {
    const list = located(Array.from({ length: 100 }, (_, index) => index));
    expect(visited('$[0:50:7]', list)).toBe(8);
    expect(visited('$[-1,3,-98]', list)).toBe(3);
    expect(visited('$[-3:]', list)).toBe(3);
    expect(visited('$[1,2,500]', list)).toBe(2);
  });
});

describe('an attribute', () => {
  test('may have more values than a call has room for arguments', () => {
    const values = Array.from({ length: 200_000 }, (_, index) => index);
    expect(new Attribute(parsePath('c')).valuesIn(located({ c: values }), TOP)).toHaveLength(200_000);
  });

  test('is read in the order of the text from arrays in each other', () => {
    const doc = located({ c: [1, [2, [], [[3]], null], 'x', [[['y']]]] });
    expect(new Attribute(parsePath('c')).valuesIn(doc, TOP)).toEqual(['1', '2', '3', 'x', 'y']);
  });
});

test('each of many paths is followed by the same states again, however many names come between', () => {
  const paths = Array.from({ length: 2000 }, (_path, index) => parsePath(`$..n${index}.b`));
  const { start } = new Automaton(paths, { forgetsAtOnce: true });
  const follow = () => paths.map((_path, index) => start.memberNamed(`n${index}`)?.memberNamed('b'));
  const before = follow();
  const after = follow();
  expect(before.filter((state, index) => state === after[index])).toHaveLength(paths.length);
});
