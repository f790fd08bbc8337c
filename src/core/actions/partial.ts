import { isString, Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { Piece } from '../json/piece.ts';
import { rawAt, stringAt } from '../json/text.ts';
import type { ActionKind, MaskSettings } from './action.ts';
import type { CompiledAction, MaskResult } from './mask-result.ts';
import { MASKED_TO_NULL, passingResult, UNCHANGED } from './mask-result.ts';
import { countCharacters, skipCharacters } from './characters.ts';
import { DefaultMask } from './default-mask.ts';
import {
  hidesNothing,
  parsePartialMask,
  rangeOf,
  WINDOWS,
  masked,
  type PartialMask,
} from './partial-mask.ts';
import { withDigits } from './mantissa.ts';

const TEXT_CHARACTER = '*';
const QUOTE = 0x22;
const LAST_ASCII = 0x7e;
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
  read(text) {
    const mask = parsePartialMask(text);
    return mask && { kind: 'change', compile: (settings) => new CompiledPartialMask(mask, settings) };
  },
};

/** A partial mask: of a text it hides characters, of a number digits; everything else becomes null. */
class CompiledPartialMask implements CompiledAction {
  readonly created = undefined;
  private readonly mask: PartialMask;
  private readonly character: string;
  /** The digit that the digits of a number become, as a byte. */
  private readonly digit: number;
  /** The mask character as a byte of a JSON string, if it is one. */
  private readonly byte: number | undefined;
  /** Serves one short value after another; plans outlive payloads, so it stays small. */
  private readonly short = { effect: 'masked', text: new Piece(SHORT_VALUE) } as const;

  /** What becomes of a value that the mask would show in full; undefined if it stays. */
  private readonly forShort: CompiledAction | undefined;

  constructor(mask: PartialMask, { maskString, maskShort }: MaskSettings) {
    this.mask = mask;
    this.forShort = maskShort ? new DefaultMask(maskString) : undefined;
    this.character = mask.character ?? TEXT_CHARACTER;
    this.digit = digitOf(mask);
    const token = Buffer.from(JSON.stringify(this.character));
    this.byte = token.length === 3 ? token[1] : undefined;
  }

  apply(doc: JsonDocument, node: Node, end: number): MaskResult {
    const kind = kindOf(doc, node);
    if (kind === Kind.plainString && this.byte !== undefined)
      return this.maskBytes(doc, node, end, this.byte);
    if (isString(kind)) return this.maskText(doc, node);
    if (kind === Kind.number) return this.maskNumber(doc, node, end);
    return kind === Kind.null ? UNCHANGED : MASKED_TO_NULL;
  }

  private maskText(doc: JsonDocument, node: Node): MaskResult {
    const text = stringAt(doc, node);
    const length = countCharacters(text);
    if (hidesNothing(this.mask, length)) return this.shown(doc, node);
    const hidden = this.hide(text, length);
    return hidden === text ? UNCHANGED : passingResult(JSON.stringify(hidden));
  }

  private hide(text: string, length: number): string {
    const { from, to, isShown } = rangeOf(this.mask, length);
    const first = skipCharacters(text, 0, from);
    const last = skipCharacters(text, first, to - from);
    const { character } = this;
    return isShown
      ? character.repeat(from) + text.slice(first, last) + character.repeat(length - to)
      : text.slice(0, first) + character.repeat(to - from) + text.slice(last);
  }

  /** Replaces the digits that count, those before the exponent (docs/enforcement.md). */
  private maskNumber(doc: JsonDocument, node: Node, end: number): MaskResult {
    const { bytes } = doc;
    const { digit, mask } = this;
    const start = startOf(doc, node);
    const stop = endOfMantissa(bytes, start, end);
    const digits = digitsIn(bytes, start, stop);
    const { from, to, isShown } = rangeOf(mask, digits);
    if (to - from === (isShown ? digits : 0)) return this.shown(doc, node);
    // Zeros that it puts in front are dropped.
    if (digit === ZERO) return this.maskNumberText(rawAt(doc, node));
    const result = this.roomFor(end - start);
    const text = result.text.bytes;
    let isChanged = false;
    for (let at = start, place = 0; at < end; at++) {
      const byte = bytes[at]!;
      const isKept = at >= stop || !isDigit(byte) || (place >= from && place < to) === isShown;
      if (at < stop && isDigit(byte)) place++;
      text[at - start] = isKept ? byte : digit;
      if (!isKept && byte !== digit) isChanged = true;
    }
    return isChanged ? result : UNCHANGED;
  }

  private maskNumberText(text: string): MaskResult {
    const hidden = withDigits(text, (digits) => masked(digits.split(''), this.mask, '0'));
    return hidden === text ? UNCHANGED : passingResult(hidden);
  }

  private shown(doc: JsonDocument, node: Node): MaskResult {
    return this.forShort?.apply(doc, node, 0) ?? UNCHANGED;
  }

  /** Where each byte is a character of its own, the text need not be decoded. */
  private maskBytes(doc: JsonDocument, node: Node, end: number, mask: number): MaskResult {
    const { bytes } = doc;
    const first = startOf(doc, node) + 1;
    const length = end - 1 - first;
    const { from, to, isShown } = rangeOf(this.mask, length);
    if (to - from === (isShown ? length : 0)) return this.shown(doc, node);
    const result = this.roomFor(length + 2);
    const text = result.text.bytes;
    text[0] = QUOTE;
    for (let i = 0; i < length; i++) {
      const byte = bytes[first + i]!;
      if (byte > LAST_ASCII) return this.maskText(doc, node);
      text[i + 1] = (i >= from && i < to) === isShown ? byte : mask;
    }
    text[length + 1] = QUOTE;
    return result;
  }

  private roomFor(length: number): MaskResult & { effect: 'masked' } {
    if (length > SHORT_VALUE) return { effect: 'masked', text: new Piece(length) };
    this.short.text.length = length;
    return this.short;
  }
}

const ZERO = 0x30;
const NINE = 0x39;

function digitOf({ character = '' }: PartialMask): number {
  const code = character.charCodeAt(0);
  return character.length === 1 && isDigit(code) ? code : NINE;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Where the exponent of a number begins, or the number ends. */
function endOfMantissa(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at]! | 0x20) !== 0x65) at++;
  return at;
}

function digitsIn(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (isDigit(bytes[at]!)) count++;
  return count;
}
