import { plain } from './bracketed.ts';
import { charactersOf } from './characters.ts';
import { withDigits } from './mantissa.ts';
import { scalarMask } from './scalar-mask.ts';

/** Letters in circles and squares are letters too, though Unicode counts them as symbols. */
const UPPER = /(?!\p{N})[\p{Uppercase}\p{Lt}]/u;
const LETTER = /(?!\p{N})\p{Alphabetic}/u;
/** Also fractions, superscripts and the digits of other scripts. */
const DIGIT = /\p{N}/u;

/** `shape()`: what a value looks like. */
export const shape = plain(
  'shape',
  {
    forms: ['shape()'],
    example: { action: 'shape()', before: '"Ab 12-é"', after: '"Xx 99-x"' },
    suits: 'Tests and support, where the form of a value matters: is it a postcode, is the number complete?',
    reveals: 'Length, capitals, punctuation, and where the digits are. Enough to recognize unusual values.',
  },
  scalarMask({
    text: (text) => charactersOf(text).map(shapeOf).join(''),
    number: (number) => withDigits(number, (digits) => '9'.repeat(digits.length)),
  }),
);

/** A character is what a reader sees as one, so an accent goes with its letter. */
function shapeOf(character: string): string {
  if (UPPER.test(character)) return 'X';
  if (LETTER.test(character)) return 'x';
  return DIGIT.test(character) ? '9' : character;
}
