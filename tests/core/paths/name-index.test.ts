import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { namesOf, TOP, valueOf } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { NameIndex } from '../../../src/core/paths/name-index.ts';
import { NameToken } from '../../../src/core/paths/name-token.ts';

const name = fc.oneof(
  fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b', '"', '\\', 'é', '👍', '\n') }),
  fc.constantFrom('\ud800', '\ufffd', '__proto__', 'a":"a', ''),
);
const names = fc.uniqueArray(name, { maxLength: 60 });

test('an index distinguishes the names in it from all others, however they are spelt', () => {
  fc.assert(
    fc.property(names, names, fc.boolean(), (known, asked, isEscaped) => {
      const index = new NameIndex<string>();
      for (const one of known) index.set(one, one);
      const spelt = (text: string) => (isEscaped ? escaped(text) : JSON.stringify(text));
      const doc = scan(Buffer.from(`{${[...known, ...asked].map((one) => `${spelt(one)}:0`).join(',')}}`), 1);
      const expected = [...known, ...asked].map((one) => (known.includes(one) ? one : undefined));
      // The bytes of the names are indexed once enough names were asked for.
      for (let time = 0; time < 40; time++)
        expect(Array.from(namesOf(doc, TOP), (node) => index.get(doc, node))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('a name with a quote in it is not found if another name and its value are spelt alike', () => {
  const doc = scan(Buffer.from('{"a":"x","b":1}'), 1);
  const [a = 0] = namesOf(doc, TOP);
  const index = new NameIndex<string>();
  index.set('a":"x', 'long');
  for (let time = 0; time < 40; time++) expect(index.get(doc, a)).toBeUndefined();
  index.set('a', 'short');
  expect(index.get(doc, a)).toBe('short');
});

test('an index of thousands of names that begin alike finds each', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `name-${i}`);
  const index = new NameIndex<number>();
  for (const [i, one] of many.entries()) index.set(one, i);
  const doc = scan(Buffer.from(`{${many.map((one) => `"${one}":0`).join(',')},"name-":0}`), 1);
  expect(Array.from(namesOf(doc, TOP), (node) => index.get(doc, node))).toEqual([...many.keys(), undefined]);
});

test('a token finds the last property of its name', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 10 }), name, (present, wanted) => {
      const text = `{${present.map((one, i) => `${JSON.stringify(one)}:${i}`).join(',')}}`;
      const doc = scan(Buffer.from(text), 1);
      const found = new NameToken(wanted).lastIn(doc, TOP);
      const values = Array.from(namesOf(doc, TOP), valueOf);
      expect(found).toBe(values[present.lastIndexOf(wanted)]);
    }),
    { numRuns: 1000 },
  );
});

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, '0'),
  );
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}
