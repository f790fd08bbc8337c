import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { elementsOf, Kind, kindOf, namesOf, keyIdOf, TOP } from '../../../src/core/json/document.ts';
import { NO_KEY_ID } from '../../../src/core/json/key-interner.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { stringAt } from '../../../src/core/json/text.ts';

const DEPTH = 9;

interface Named {
  readonly name: string;
  readonly id: number;
}

/** The names of an object's members, as the scanner interns them. */
function namesIn(text: string): Named[] {
  const doc = scan(Buffer.from(text), DEPTH);
  return Array.from(namesOf(doc, TOP), (node) => ({
    name: stringAt(doc, node),
    id: keyIdOf(doc, node),
  }));
}

function objectOf(names: readonly string[]): string {
  return `{${names.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`;
}

/** Few letters, so that names begin and end alike, and are alike. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 12 }),
  fc.constantFrom('', 'a":0,"b', 'a\\', '"', '\n', '😀'),
);

describe('key ids', () => {
  test('are the same for the same names only', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 80 }), (names) => {
        const interned = namesIn(objectOf(names)).filter(({ id }) => id !== NO_KEY_ID);
        const byId = new Map(interned.map(({ name: text, id }) => [id, text]));
        const byName = new Map(interned.map(({ name: text, id }) => [text, id]));
        expect(byId.size).toBe(byName.size);
        for (const { name: text, id } of interned) expect(byId.get(id)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test('are given to every plain name of one character or more', () => {
    const text = '[{"a":1,"b":2,"long name":3},{"long name":4,"a":5,"b":6,"\\u0061":7,"":8,"c" :9}]';
    const doc = scan(Buffer.from(text), DEPTH);
    const ids: Record<string, Set<number>> = {};
    for (const object of elementsOf(doc, TOP)) {
      for (const one of namesOf(doc, object)) {
        const spelling = kindOf(doc, one) === Kind.escapedString ? ', escaped' : '';
        (ids[stringAt(doc, one) + spelling] ??= new Set()).add(keyIdOf(doc, one));
      }
    }
    const none = new Set([NO_KEY_ID]);
    expect(ids['a, escaped']).toEqual(none);
    expect(ids['']).toEqual(none);
    expect(ids['c']).toEqual(none);
    const plain = [ids['a'], ids['b'], ids['long name']].flatMap((ones) => Array.from(ones ?? []));
    expect(new Set(plain).size).toBe(3);
    expect(plain).toHaveLength(3);
    expect(ids['a']).not.toEqual(none);
  });

  test('run out, and names stay readable', () => {
    const names = Array.from({ length: 5000 }, (_, i) => `name ${i} of many`);
    const interned = namesIn(objectOf([...names, ...names]));
    expect(interned.map((one) => one.name)).toEqual([...names, ...names]);
    expect(interned.some(({ id }) => id === NO_KEY_ID)).toBe(true);
    expect(new Set(interned.map(({ id }) => id)).size).toBeGreaterThan(100);
  });

  test('are valid within one text: each text starts at 1', () => {
    const [first] = namesIn('{"first":1}');
    const [second] = namesIn('{"other":1}');
    expect(second?.id).toBe(first?.id);
    expect(scan(Buffer.from('{}'), 1).serial).not.toBe(scan(Buffer.from('{}'), 1).serial);
  });
});
