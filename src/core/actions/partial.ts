import { isString, Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { Piece } from '../json/piece.ts';
import type { ActionKind, MaskSettings } from './action.ts';
import type { CompiledAction, MaskResult } from './mask-result.ts';
import { MASKED_TO_NULL, UNCHANGED } from './mask-result.ts';
import { DefaultMask } from './default-mask.ts';
import {
  MaskRange,
  PARTIAL_MASK,
  parsePartialMask,
  TOO_LONG,
  WINDOWS,
  type PartialMask,
} from './partial-mask.ts';
import { SpeltCharacters } from './spelt-characters.ts';

const TEXT_CHARACTER = '*';
const QUOTE = 0x22;
const LAST_ASCII = 0x7e;
/** How many bytes are looked at in one step. */
const WORD = 4;
const SHORT_VALUE = 256;

/** `first`, `middle`, `last` and `edges`, with or without brackets. */
export const partial: ActionKind = {
  names: WINDOWS,
  row: {
    forms: ['first(N)', 'middle(N)', 'last(N)', 'edges(N)'],
    example: { action: 'last(4)', before: '"1234567890"', after: '"******7890"' },
    suits: 'A person who has to recognize a value that the customer names: account numbers, phone numbers.',
    reveals: 'The window, and the length. Without `maskShort`, a value that the window covers.',
  },
  pattern: PARTIAL_MASK,
  beyond: TOO_LONG,
  read(text) {
    const mask = parsePartialMask(text);
    return mask && { kind: 'change', compile: (settings) => new CompiledPartialMask(mask, settings) };
  },
};

/** A partial mask: of a text it hides characters, of a number digits; everything else becomes null. */
class CompiledPartialMask implements CompiledAction {
  readonly created = undefined;
  private readonly range: MaskRange;
  private readonly isShown: boolean;
  /** The digit that the digits of a number become, as a byte. */
  private readonly digit: number;
  /** The mask character as it is spelt in a JSON string. */
  private readonly spelt: Buffer;
  /** Serves one short value after another; plans outlive payloads, so it stays small. */
  private readonly short = { effect: 'masked', text: new Piece(SHORT_VALUE) } as const;

  /** What becomes of a value that the mask would show in full; undefined if it stays. */
  private readonly forShort: CompiledAction | undefined;

  constructor(mask: PartialMask, { maskString, maskShort }: MaskSettings) {
    this.range = new MaskRange(mask);
    this.isShown = this.range.isShown;
    this.forShort = maskShort ? new DefaultMask(maskString) : undefined;
    this.digit = digitOf(mask);
    this.spelt = Buffer.from(JSON.stringify(mask.character ?? TEXT_CHARACTER)).subarray(1, -1);
  }

  apply(doc: JsonDocument, node: Node, end: number): MaskResult {
    const kind = kindOf(doc, node);
    if (kind === Kind.plainString)
      return this.spelt.length === 1
        ? this.maskBytes(doc, node, end)
        : this.maskByLongCharacter(doc, node, end);
    if (isString(kind)) return this.maskText(doc, node, end);
    if (kind === Kind.number) return this.maskNumber(doc, node, end);
    return kind === Kind.null ? UNCHANGED : MASKED_TO_NULL;
  }

  private maskText(doc: JsonDocument, node: Node, end: number): MaskResult {
    const { bytes } = doc;
    const first = startOf(doc, node) + 1;
    const last = end - 1;
    const length = CHARACTERS.read(bytes, first, last);
    const { range, isShown } = this;
    const from = range.startIn(length);
    const to = range.endIn(length, from);
    if (to - from === (isShown ? length : 0)) return this.shown(doc, node);
    const opening = CHARACTERS.startOf(from, bytes, last);
    const closing = CHARACTERS.startOf(to, bytes, last);
    return isShown
      ? this.hideAround(bytes, opening, closing, from, length - to)
      : this.hideBetween(bytes, first, last, opening, closing, to - from);
  }

  /** Shows bytes, with so many characters hidden before and after them. What stays visible is spelt as before. */
  private hideAround(bytes: Buffer, start: number, end: number, before: number, after: number): MaskResult {
    const result = this.roomFor((before + after) * this.spelt.length + end - start + 2);
    const text = result.text.bytes;
    text[0] = QUOTE;
    const at = copied(bytes, start, end, text, this.fill(text, 1, before));
    text[this.fill(text, at, after)] = QUOTE;
    return result;
  }

  /** Hides so many characters, of which the bytes lie from `opening` up to `closing`. */
  private hideBetween(
    bytes: Buffer,
    start: number,
    end: number,
    opening: number,
    closing: number,
    hidden: number,
  ): MaskResult {
    const kept = opening - start + end - closing;
    const result = this.roomFor(hidden * this.spelt.length + kept + 2);
    const text = result.text.bytes;
    text[0] = QUOTE;
    const at = this.fill(text, copied(bytes, start, opening, text, 1), hidden);
    text[copied(bytes, closing, end, text, at)] = QUOTE;
    return result;
  }

  /** Writes the mask character a number of times. @returns the byte after it */
  private fill(text: Buffer, start: number, count: number): number {
    const { spelt } = this;
    let at = start;
    for (let left = count; left > 0; left--) for (let i = 0; i < spelt.length; i++) text[at++] = spelt[i]!;
    return at;
  }

  /** Replaces the digits that count, those before the exponent (docs/enforcement.md). */
  private maskNumber(doc: JsonDocument, node: Node, end: number): MaskResult {
    const { bytes } = doc;
    const { digit, range, isShown } = this;
    const start = startOf(doc, node);
    let stop = start;
    let digits = 0;
    // The digits of the exponent stay.
    for (; stop < end && (bytes[stop]! | 0x20) !== LETTER_E; stop++) if (isDigit(bytes[stop]!)) digits++;
    const from = range.startIn(digits);
    const to = range.endIn(digits, from);
    if (to - from === (isShown ? digits : 0)) return this.shown(doc, node);
    const result = this.roomFor(end - start);
    const text = result.text.bytes;
    for (let at = start, place = 0; at < stop; at++) {
      let byte = bytes[at]!;
      if (isDigit(byte)) {
        if ((place >= from && place < to) !== isShown) byte = digit;
        place++;
      }
      text[at - start] = byte;
    }
    copied(bytes, stop, end, text, stop - start);
    if (digit === ZERO) dropLeadingZeros(result.text);
    return result;
  }

  private shown(doc: JsonDocument, node: Node): MaskResult {
    return this.forShort?.apply(doc, node, 0) ?? UNCHANGED;
  }

  /** Where each byte is a character of its own, the text need not be decoded; the mask character takes one byte. */
  private maskBytes(doc: JsonDocument, node: Node, end: number): MaskResult {
    const { bytes } = doc;
    const first = startOf(doc, node) + 1;
    if (bytes[first]! > LAST_ASCII) return this.maskText(doc, node, end);
    const length = end - 1 - first;
    const { range, isShown } = this;
    const from = range.startIn(length);
    const to = range.endIn(length, from);
    if (to - from === (isShown ? length : 0)) return this.shown(doc, node);
    const result = this.roomFor(length + 2);
    const text = result.text.bytes;
    const { view } = result.text;
    text[0] = QUOTE;
    let i = 0;
    for (; i + WORD <= length; i += WORD) {
      const word = doc.view.getInt32(first + i, true);
      // A greater byte has its top bit, or gets it if one is added.
      if (((word | (word + 0x01010101)) & 0x80808080) !== 0) return this.maskText(doc, node, end);
      view.setInt32(i + 1, word, true);
    }
    for (; i < length; i++) {
      const byte = bytes[first + i]!;
      if (byte > LAST_ASCII) return this.maskText(doc, node, end);
      text[i + 1] = byte;
    }
    if (isShown) {
      this.hide(text, 1, from);
      this.hide(text, to + 1, length - to);
    } else this.hide(text, from + 1, to - from);
    text[length + 1] = QUOTE;
    return result;
  }

  /** Writes a mask character of one byte a number of times. */
  private hide(text: Buffer, start: number, count: number): void {
    const character = this.spelt[0]!;
    for (let at = start; at < start + count; at++) text[at] = character;
  }

  /** The same if the mask character takes several bytes. */
  private maskByLongCharacter(doc: JsonDocument, node: Node, end: number): MaskResult {
    const { bytes } = doc;
    const first = startOf(doc, node) + 1;
    const last = end - 1;
    for (let at = first; at < last; at++) if (bytes[at]! > LAST_ASCII) return this.maskText(doc, node, end);
    const length = last - first;
    const { range, isShown } = this;
    const from = range.startIn(length);
    const to = range.endIn(length, from);
    if (to - from === (isShown ? length : 0)) return this.shown(doc, node);
    return isShown
      ? this.hideAround(bytes, first + from, first + to, from, length - to)
      : this.hideBetween(bytes, first, last, first + from, first + to, to - from);
  }

  private roomFor(length: number): MaskResult & { effect: 'masked' } {
    if (length > SHORT_VALUE) return { effect: 'masked', text: new Piece(length) };
    this.short.text.length = length;
    return this.short;
  }
}

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_E = 0x65;
/** Serves one value after another. */
const CHARACTERS = new SpeltCharacters();
/** What is longer is copied by a native call, in bytes. */
const SHORT_COPY = 32;

/** Copies bytes. @returns the byte after them in the target */
function copied(source: Buffer, from: number, to: number, target: Buffer, at: number): number {
  const length = to - from;
  if (length > SHORT_COPY) source.copy(target, at, from, to);
  else for (let i = 0; i < length; i++) target[at + i] = source[from + i]!;
  return at + length;
}

function digitOf({ character = '' }: PartialMask): number {
  const code = character.charCodeAt(0);
  return character.length === 1 && isDigit(code) ? code : NINE;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Drops the zeros that JSON does not allow at the beginning of a number. */
function dropLeadingZeros(number: Piece): void {
  const { bytes, length } = number;
  const first = bytes[0] === MINUS ? 1 : 0;
  let from = first;
  while (from + 1 < length && bytes[from] === ZERO && isDigit(bytes[from + 1]!)) from++;
  bytes.copyWithin(first, from, length);
  number.length = length - (from - first);
}
