import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { charactersOf } from '../../../src/core/actions/characters.ts';
import { SpeltCharacters } from '../../../src/core/actions/spelt-characters.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function segmentsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const CODE_POINTS = 0x11_0000;
const BLOCK = 0x800;
/** From here on no code point is assigned, up to the tags, and all behind those are private: the random texts have them. */
const UNASSIGNED = 0x3_3800;
const TAGS = 0xe_0000;
const PRIVATE = 0xf_0000;

/** One or several of each class of code points, and what is special among them. */
const TELLING = [
  'a',
  'é',
  'я',
  '山',
  '\0',
  '\t',
  '\r',
  '\n',
  '\u00ad',
  '\u200b',
  '\u2028',
  '\u{e0001}',
  '\u{e0fff}',
  '\u0301',
  '\u200c',
  '\u200d',
  '\ufe0f',
  '\u{1f3fd}',
  '\u0903',
  '\u0e33',
  '\u0600',
  '\u{110bd}',
  '\u0d4e',
  '\u1100',
  '\ua960',
  '\u1161',
  '\ud7b0',
  '\u11a8',
  '\ud7cb',
  '가',
  '각',
  '🇩',
  '🇪',
  '😀',
  '❤',
  '©',
  '👩',
  '\u0915',
  '\u094d',
  '\u093c',
  '\u0c15',
  '\u0c4d',
  '\u0cc0',
  '\u1b44',
  '\u1039',
  '\ud800',
  '\udc00',
  '\uff9e',
];

describe('characters', () => {
  test('are those of Intl.Segmenter for every code point in a row, extended, and after a linker', () => {
    const wrong: string[] = [];
    for (let first = 0; first < CODE_POINTS; first += BLOCK) {
      if (first >= UNASSIGNED && first < TAGS) continue;
      if (first >= PRIVATE) break;
      const block = Array.from({ length: BLOCK }, (_, at) => String.fromCodePoint(first + at));
      for (const one of ['', '\u0301', '\u094d\u0915']) {
        const text = block.join(one);
        if (charactersOf(text).join('|') !== segmentsOf(text).join('|'))
          wrong.push(`${first.toString(16)} with ${one.codePointAt(0)?.toString(16)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('are those of Intl.Segmenter for texts of any code points', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(...TELLING),
          fc.integer({ min: 0, max: CODE_POINTS - 1 }).map((code) => String.fromCodePoint(code)),
        ),
      )
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(text, (one) => {
        expect(charactersOf(one)).toEqual(segmentsOf(one));
      }),
      { numRuns: 20_000 },
    );
  });

  test('are those of the text where a string is spelt, with escapes and without', () => {
    const character = fc.oneof(fc.constantFrom(...TELLING), fc.string({ unit: 'grapheme', maxLength: 1 }));
    const spelt = fc
      .array(fc.tuple(character, fc.boolean()), { maxLength: 150 })
      .map((all) =>
        all.map(([one, isEscaped]) => (isEscaped ? escaped(one) : JSON.stringify(one).slice(1, -1))),
      );
    const characters = new SpeltCharacters();
    fc.assert(
      fc.property(spelt, fc.nat({ max: 150 }), (parts, some) => {
        const bytes = Buffer.from(`"${parts.join('')}"`);
        const last = bytes.length - 1;
        const expected = charactersOf(String(JSON.parse(bytes.toString())));
        expect(characters.read(bytes, 1, last)).toBe(expected.length);
        const index = Math.min(some, expected.length);
        const rest = bytes.toString('utf8', characters.startOf(index, bytes, last), last);
        expect(JSON.parse(`"${rest}"`)).toBe(expected.slice(index).join(''));
      }),
      { numRuns: 3000 },
    );
  });
});

/** Each UTF-16 unit as an escape. */
function escaped(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
