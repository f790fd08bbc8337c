import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { charactersOf } from '../../../src/core/actions/characters.ts';
import { SpeltCharacters } from '../../../src/core/actions/spelt-characters.ts';

/** Code points that join one another in all ways, and half of a pair. */
const PARTS = Array.from('az\r\n\t"\\\u007fé\u00ad©\u02ff\u0301\u200d山각👨👩🇩🇪क\u094d\ufe0f☂\ud83d');
const parts = fc.constantFrom(...PARTS);
const text = fc.array(parts, { maxLength: 12 }).map((some) => some.join(''));

/** A text as JSON spells it, each unit of it as an escape. */
function escaped(of: string): string {
  const units = Array.from({ length: of.length }, (_unit, at) => of.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

test('characters of a string where it is spelt are those of its text, and begin where they do', () => {
  const characters = new SpeltCharacters();
  fc.assert(
    fc.property(text, fc.boolean(), (of, isEscaped) => {
      const spell = (one: string): string => (isEscaped ? escaped(one) : JSON.stringify(one).slice(1, -1));
      const expected = charactersOf(of);
      const bytes = Buffer.from(`"${spell(of)}"`);
      const end = bytes.length - 1;
      expect(characters.read(bytes, 1, end)).toBe(expected.length);
      const starts = expected.map((_one, at) => characters.startOf(at, bytes, end));
      const places = expected.map((_one, at) => 1 + Buffer.byteLength(spell(expected.slice(0, at).join(''))));
      expect(starts).toEqual(places);
    }),
    { numRuns: 20_000 },
  );
});
