import { GraphemeClass, graphemeClassOf } from './grapheme-class.ts';

const FIRST_PRINTABLE = 0x20;
const LAST_ASCII = 0x7e;
const LAST_UNIT = 0xffff;

// What is exported is looked up each time, what is not is a constant in compiled code.
const CONTROL = GraphemeClass.control;
const LINE_FEED = GraphemeClass.lineFeed;
const CARRIAGE_RETURN = GraphemeClass.carriageReturn;
const PREPEND = GraphemeClass.prepend;
const HANGUL_L = GraphemeClass.hangulL;
const HANGUL_V = GraphemeClass.hangulV;
const HANGUL_T = GraphemeClass.hangulT;
const HANGUL_LV = GraphemeClass.hangulLV;
const HANGUL_LVT = GraphemeClass.hangulLVT;
const REGIONAL = GraphemeClass.regionalIndicator;
const PICTOGRAPH = GraphemeClass.pictograph;
const CONSONANT = GraphemeClass.consonant;
const SPACING = GraphemeClass.spacing;
const EXTEND = GraphemeClass.extend;
const LINKER = GraphemeClass.linker;
const JOINER = GraphemeClass.joiner;

/** A text as the characters that a person counts: an emoji or an accented letter is one (docs/enforcement.md). */
export function charactersOf(text: string): string[] {
  if (isPrintableAscii(text)) return text.split('');
  const characters: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfCharacter(text, at);
    characters.push(text.slice(at, end));
    at = end;
  }
  return characters;
}

/** How many characters a text has. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at = endOfCharacter(text, at);
  return count;
}

/**
 * Where a text goes on after some characters, in UTF-16 units.
 *
 * @param start where the characters begin
 */
export function skipCharacters(text: string, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0 && at < text.length; left--) at = endOfCharacter(text, at);
  return at;
}

/**
 * Where a character ends that begins at a place of a text: exactly as `Intl.Segmenter` has it, which takes about fifty
 * times as long.
 */
function endOfCharacter(text: string, start: number): number {
  let code = codePointAt(text, start);
  let at = start + (code > LAST_UNIT ? 2 : 1);
  let before = graphemeClassOf(code);
  // Whether a consonant, and then whether a linker after it, was met with nothing between that ends the chain.
  let inChain = before === CONSONANT;
  let isLinked = false;
  let isPictograph = before === PICTOGRAPH;
  let isPaired = false;
  while (at < text.length) {
    code = codePointAt(text, at);
    const next = graphemeClassOf(code);
    if (next < SPACING) {
      const joins =
        (isLinked && next === CONSONANT) ||
        (before === JOINER && isPictograph && next === PICTOGRAPH) ||
        (before === REGIONAL && next === REGIONAL && !isPaired) ||
        joinsAlways(before, next);
      if (!joins) return at;
      isPaired = before === REGIONAL && next === REGIONAL;
      inChain = next === CONSONANT;
      isLinked = false;
      isPictograph = next === PICTOGRAPH;
    } else {
      if (isControl(before)) return at;
      if (next === SPACING || next === EXTEND) inChain = false;
      if (next === SPACING || before === JOINER) isPictograph = false;
      isLinked = inChain && (isLinked || next === LINKER);
    }
    before = next;
    at += code > LAST_UNIT ? 2 : 1;
  }
  return at;
}

/** Whether two classes have no boundary between them, of which the second is none that extends. */
function joinsAlways(before: GraphemeClass, next: GraphemeClass): boolean {
  switch (before) {
    case CARRIAGE_RETURN:
      return next === LINE_FEED;
    case PREPEND:
      return !isControl(next);
    case HANGUL_L:
      return next === HANGUL_L || next === HANGUL_V || next === HANGUL_LV || next === HANGUL_LVT;
    case HANGUL_V:
    case HANGUL_LV:
      return next === HANGUL_V || next === HANGUL_T;
    case HANGUL_T:
    case HANGUL_LVT:
      return next === HANGUL_T;
    default:
      return false;
  }
}

function isControl(one: GraphemeClass): boolean {
  return one === CONTROL || one === CARRIAGE_RETURN || one === LINE_FEED;
}

function codePointAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return (unit & 0xf800) === 0xd800 ? (text.codePointAt(at) ?? unit) : unit;
}

function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < FIRST_PRINTABLE || unit > LAST_ASCII) return false;
  }
  return true;
}
