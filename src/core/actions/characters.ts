import { GraphemeClass, graphemeClassOf } from './grapheme-class.ts';

const FIRST_PRINTABLE = 0x20;
const LAST_ASCII = 0x7e;
const LAST_UNIT = 0xffff;

// What is exported is looked up each time, what is not is a constant in compiled code.
const OTHER = GraphemeClass.other;
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
  if (isPrintableAscii(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at = endOfCharacter(text, at)) count++;
  return count;
}

/** Where a character ends that begins at a place of a text. */
export function endOfCharacter(text: string, start: number): number {
  let code = codePointAt(text, start);
  let at = start + (code > LAST_UNIT ? 2 : 1);
  BOUNDARY.begin(code);
  while (at < text.length) {
    code = codePointAt(text, at);
    if (!BOUNDARY.joins(code)) return at;
    at += code > LAST_UNIT ? 2 : 1;
  }
  return at;
}

/**
 * Finds where characters end, one code point after another: exactly as `Intl.Segmenter` does, which takes about fifty times
 * as long.
 */
export class CharacterBoundary {
  private before: GraphemeClass = GraphemeClass.other;
  /** Whether a consonant, and then whether a linker after it, was met with nothing between that ends the chain. */
  private inChain = false;
  private isLinked = false;
  private isPictograph = false;
  private isPaired = false;

  /** Takes the first code point of a character. */
  begin(code: number): void {
    this.beginBy(graphemeClassOf(code));
  }

  /** Takes the next code point. @returns whether it belongs to the character; if not, it begins the next one */
  joins(code: number): boolean {
    const { before } = this;
    const next = graphemeClassOf(code);
    if (before === OTHER && next === OTHER) return false;
    const isJoined = next >= SPACING ? this.extends(next) : this.follows(next);
    if (!isJoined) this.beginBy(next);
    return isJoined;
  }

  private beginBy(first: GraphemeClass): void {
    this.before = first;
    this.inChain = first === CONSONANT;
    this.isLinked = false;
    this.isPictograph = first === PICTOGRAPH;
    this.isPaired = false;
  }

  private follows(next: GraphemeClass): boolean {
    const { before } = this;
    const joins =
      (this.isLinked && next === CONSONANT) ||
      (before === JOINER && this.isPictograph && next === PICTOGRAPH) ||
      (before === REGIONAL && next === REGIONAL && !this.isPaired) ||
      joinsAlways(before, next);
    if (!joins) return false;
    this.isPaired = before === REGIONAL && next === REGIONAL;
    this.inChain = next === CONSONANT;
    this.isLinked = false;
    this.isPictograph = next === PICTOGRAPH;
    this.before = next;
    return true;
  }

  private extends(next: GraphemeClass): boolean {
    const { before } = this;
    if (isControl(before)) return false;
    if (next === SPACING || next === EXTEND) this.inChain = false;
    if (next === SPACING || before === JOINER) this.isPictograph = false;
    this.isLinked = this.inChain && (this.isLinked || next === LINKER);
    this.before = next;
    return true;
  }
}

const BOUNDARY = new CharacterBoundary();

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
