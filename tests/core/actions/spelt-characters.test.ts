import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { charactersOf } from '../../../src/core/actions/characters.ts';
import { SpeltCharacters } from '../../../src/core/actions/spelt-characters.ts';

/** Code points that join one another in all ways, and half of a pair. */
const PARTS = Array.from('az\r\n\t"\\\u007fé\u00ad©\u02ff\u0301\u200d山각👨👩🇩🇪क\u094d\ufe0f☂\ud83d');
const parts = fc.constantFrom(...PARTS);

/** A text as JSON spells it, each unit of it as an escape. */
function escaped(of: string): string {
  const units = Array.from({ length: of.length }, (_unit, at) => of.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

const shortText = fc.array(parts, { maxLength: 12 }).map((some) => some.join(''));
/** Of more characters than those whose places are kept. */
const longText = fc.array(parts, { minLength: 200, maxLength: 400 }).map((some) => some.join(''));

test.each([
  ['a string', shortText, 20_000],
  ['a long string', longText, 300],
])(
  'characters of %s where it is spelt are those of its text, and begin where they do',
  (_name, text, numRuns) => {
    const characters = new SpeltCharacters();
    fc.assert(
      fc.property(text, fc.boolean(), (of, isEscaped) => {
        const spell = (one: string): string => (isEscaped ? escaped(one) : JSON.stringify(one).slice(1, -1));
        const expected = charactersOf(of);
        const bytes = Buffer.from(`"${spell(of)}"`);
        const end = bytes.length - 1;
        expect(characters.read(bytes, 1, end)).toBe(expected.length);
        let place = 1;
        const places = expected.map((one) => {
          const start = place;
          place += Buffer.byteLength(spell(one));
          return start;
        });
        expect(expected.map((_one, at) => characters.startOf(at, bytes, end))).toEqual(places);
      }),
      { numRuns },
    );
  },
);
