/**
 * How code points take part in characters that a person counts: the classes of "Grapheme Cluster Boundary Rules" (Unicode
 * Standard Annex #29), with what rule GB9c distinguishes.
 */
export const GraphemeClass = {
  /** A character by itself: nothing joins it but what extends it. */
  other: 0,
  control: 1,
  carriageReturn: 2,
  lineFeed: 3,
  prepend: 4,
  hangulL: 5,
  hangulV: 6,
  hangulT: 7,
  hangulLV: 8,
  hangulLVT: 9,
  regionalIndicator: 10,
  pictograph: 11,
  /** A consonant of a script that joins consonants by a linker. */
  consonant: 12,
  /** Joins what is before it, and everything from here on does. */
  spacing: 13,
  /** Extends a character, and ends a chain of consonants and linkers. */
  extend: 14,
  /** Extends a character, also between a consonant and a linker. */
  extendInChain: 15,
  linker: 16,
  joiner: 17,
} as const;
export type GraphemeClass = (typeof GraphemeClass)[keyof typeof GraphemeClass];

const CODE_POINTS = 0x11_0000;
const LAST_LATIN = 0x2ff;
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const SYLLABLES_OF_VOWEL = 28;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const JOINER = '\u200d';

/** The class of each code point that was met, plus 1: a process meets few of them. */
let known: Uint8Array | undefined;
let segmenter: Intl.Segmenter | undefined;

/** How a code point takes part in characters, exactly as `Intl.Segmenter` has it. */
export function graphemeClassOf(codePoint: number): GraphemeClass;
export function graphemeClassOf(codePoint: number): number {
  if (codePoint >= 0x20 && codePoint <= LAST_LATIN && (codePoint < 0x7f || codePoint > 0xae))
    return GraphemeClass.other;
  if (codePoint >= FIRST_SYLLABLE && codePoint <= LAST_SYLLABLE)
    return (codePoint - FIRST_SYLLABLE) % SYLLABLES_OF_VOWEL === 0
      ? GraphemeClass.hangulLV
      : GraphemeClass.hangulLVT;
  known ??= new Uint8Array(CODE_POINTS);
  const found = known[codePoint]!;
  if (found !== 0) return found - 1;
  const determined = determine(codePoint);
  known[codePoint] = determined + 1;
  return determined;
}

function determine(codePoint: number): GraphemeClass {
  if (codePoint === CARRIAGE_RETURN) return GraphemeClass.carriageReturn;
  if (codePoint === LINE_FEED) return GraphemeClass.lineFeed;
  const text = String.fromCodePoint(codePoint);
  if (/\p{Extended_Pictographic}/u.test(text)) return GraphemeClass.pictograph;
  if (/\p{Regional_Indicator}/u.test(text)) return GraphemeClass.regionalIndicator;
  return mayJoin(text) ? probe(text) : GraphemeClass.other;
}

/** Whether a code point may join others: for all else it is known what it is. The expression takes long to compile. */
function mayJoin(text: string): boolean {
  return /[\p{M}\p{C}\p{Zl}\p{Zp}\p{Grapheme_Extend}\p{Emoji_Modifier}\p{Default_Ignorable_Code_Point}\u0900-\u10ff\u1100-\u11ff\u1700-\u1cff\ua800-\uabff\uff9e\uff9f\ud7b0-\ud7ff\u{10a00}-\u{10a5f}\u{10f00}-\u{11fff}\u{16100}-\u{1612f}\u{16d40}-\u{16d7f}]/u.test(
    text,
  );
}

/** Asks the segmenter what joins a code point: so there is one truth, whatever version of Unicode it follows. */
function probe(text: string): GraphemeClass {
  if (text === JOINER) return GraphemeClass.joiner;
  if (joins(`a${text}`)) return probeExtending(text);
  if (!joins(`${text}\u0301`)) return GraphemeClass.control;
  if (joins(`${text}a`)) return GraphemeClass.prepend;
  if (joins(`\u0915\u094d${text}`)) return GraphemeClass.consonant;
  if (joins(`${text}\uac01`)) return GraphemeClass.hangulL;
  if (joins(`\uac00${text}`)) return joins(`\uac01${text}`) ? GraphemeClass.hangulT : GraphemeClass.hangulV;
  return GraphemeClass.other;
}

function probeExtending(text: string): GraphemeClass {
  if (joins(`\u0915${text}\u0915`)) return GraphemeClass.linker;
  if (joins(`\u0915\u094d${text}\u0915`)) return GraphemeClass.extendInChain;
  return joins(`\u{1f600}${text}\u200d\u{1f600}`) ? GraphemeClass.extend : GraphemeClass.spacing;
}

function joins(text: string): boolean {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text).containing(0)?.segment.length === text.length;
}
