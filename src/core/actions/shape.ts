import { plain } from './bracketed.ts';
import { endOfCharacter } from './characters.ts';
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
    text: shapeOf,
    number: (number) => withDigits(number, (digits) => '9'.repeat(digits.length)),
  }),
);

/** The kinds of code points. A character of several counts as the first of these kinds that one of them has. */
const Sign = { unknown: 0, upper: 1, letter: 2, digit: 3, other: 4 } as const;

/** What each kind is shown as; the others as they are. */
const SHOWN = ['', 'X', 'x', '9'].map((character) => character.charCodeAt(0));

/** The signs of what has one unit, as far as they are known: asking Unicode takes ten times as long. */
const known = new Uint8Array(0x1_0000);

/** A character is what a reader sees as one, so an accent goes with its letter. */
function shapeOf(text: string): string {
  const units = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (let at = 0; at < text.length;) {
    const end = endOfCharacter(text, at);
    const sign = end === at + 1 ? signOfUnit(text, at) : signIn(text, at, end);
    if (sign === Sign.other) for (; at < end; at++) length = units.writeUInt16LE(text.charCodeAt(at), length);
    else length = units.writeUInt16LE(SHOWN[sign] ?? 0, length);
    at = end;
  }
  return units.toString('utf16le', 0, length);
}

/** The sign of a character of several units. */
function signIn(text: string, start: number, end: number): number {
  let least: number = Sign.other;
  for (let at = start; at < end && least !== Sign.upper;) {
    const isPair = (text.codePointAt(at) ?? 0) > 0xffff;
    const sign = isPair ? signOf(text.slice(at, at + 2)) : signOfUnit(text, at);
    if (sign < least) least = sign;
    at += isPair ? 2 : 1;
  }
  return least;
}

function signOfUnit(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (known[unit] === Sign.unknown) known[unit] = signOf(text.charAt(at));
  return known[unit] ?? Sign.other;
}

function signOf(codePoint: string): number {
  if (UPPER.test(codePoint)) return Sign.upper;
  if (LETTER.test(codePoint)) return Sign.letter;
  return DIGIT.test(codePoint) ? Sign.digit : Sign.other;
}
