import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { elementsOf, Kind, kindOf, namesOf, keyIdOf, TOP, valueOf } from '../../../src/core/json/document.ts';
import { NO_KEY_ID } from '../../../src/core/json/key-interner.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { stringAt } from '../../../src/core/json/text.ts';
import { Automaton } from '../../../src/core/paths/automaton.ts';
import { NameToken } from '../../../src/core/paths/name-token.ts';

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

  test('differ for names that differ in one byte, wherever it is', () => {
    for (let length = 1; length <= 40; length++) {
      const usual = 'n'.repeat(length);
      const others = Array.from({ length }, (_, at) => `${usual.slice(0, at)}o${usual.slice(at + 1)}`);
      const names = [usual, `${usual}n`, ...others];
      const doc = scan(Buffer.from(`[${names.map((one) => objectOf([one])).join(',')}]`), DEPTH);
      const ids = Array.from(elementsOf(doc, TOP)).flatMap((object) =>
        Array.from(namesOf(doc, object), (node) => keyIdOf(doc, node)),
      );
      const interned = ids.filter((id) => id !== NO_KEY_ID);
      expect(new Set(interned).size).toBe(interned.length);
    }
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

  test('are the same in the next text, which has a serial of its own', () => {
    const first = scan(Buffer.from('{"first":1,"second":2}'), DEPTH);
    const next = scan(Buffer.from('{"second":1}'), DEPTH);
    const [, second] = namesOf(first, TOP);
    const [again] = namesOf(next, TOP);
    expect(next.serial).not.toBe(first.serial);
    expect(next.generation).toBe(first.generation);
    expect(keyIdOf(next, again ?? TOP)).toBe(keyIdOf(first, second ?? TOP));
  });

  test('begin anew in the text after one that had too many names, in another generation', () => {
    const names = Array.from({ length: 5000 }, (_, i) => `too many ${i}`);
    const full = scan(Buffer.from(objectOf(names)), DEPTH);
    const next = scan(Buffer.from(objectOf(['not met yet'])), DEPTH);
    const [only] = namesOf(next, TOP);
    expect(next.generation).not.toBe(full.generation);
    expect(keyIdOf(next, only ?? TOP)).not.toBe(NO_KEY_ID);
  });

  test('are not given to names of more than 125 characters, and not used up by them', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `${i}`.padEnd(126, 'x'));
    const { generation } = scan(Buffer.from(objectOf(names)), DEPTH);
    expect(scan(Buffer.from('[]'), DEPTH).generation).toBe(generation);
    expect(new Set(namesIn(objectOf(names)).map(({ id }) => id))).toEqual(new Set([NO_KEY_ID]));
    expect(namesIn(objectOf(['x'.repeat(125)]))).not.toContainEqual(
      expect.objectContaining({ id: NO_KEY_ID }),
    );
  });

  test('find the same properties in texts of several generations, read in turns', () => {
    const few = scan(Buffer.from('{"a":1,"b":2}'), DEPTH);
    const others = Array.from({ length: 600 }, (_, i) => `name ${i}`);
    const many = scan(Buffer.from(objectOf([...others, 'b', 'a'])), DEPTH);
    const last = scan(Buffer.from('{"b":1,"c":2,"a":3}'), DEPTH);
    const state = new Automaton([[{ kind: 'name', name: 'a' }]]).start;
    const token = new NameToken('a');
    for (const doc of [few, many, last, few, last, many]) {
      const found = Array.from(namesOf(doc, TOP)).filter((node) => state.member(doc, node) !== undefined);
      expect(found.map((node) => stringAt(doc, node))).toEqual(['a']);
      expect(token.lastIn(doc, TOP)).toBe(valueOf(found[0] ?? TOP));
    }
  });
});
