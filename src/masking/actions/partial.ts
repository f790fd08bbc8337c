/** Which characters of a value stay visible. */
export type Window = 'first' | 'middle' | 'last' | 'edges';

/** A mask that leaves a window of a value visible (specification 2.5, "Partial masking"). */
export interface PartialMask {
  readonly window: Window;
  /** How many characters or digits stay visible; with `edges`, on each side. */
  readonly visible: number;
  /** What the others become; without it `*` in a text and `9` in a number. */
  readonly character: string | undefined;
}

const DEFAULT_VISIBLE = 4;
const TEXT_CHARACTER = '*';
const DIGIT = '9';

const FORM = /^(first|middle|last|edges)\s*(?:(\d+)|\(\s*(\d*)\s*(?:,\s*(\S+)\s*)?\))?$/iu;
const WINDOWS: ReadonlyMap<string, Window> = new Map(
  (['first', 'middle', 'last', 'edges'] as const).map((window) => [window, window]),
);
const ASCII = /^[\x20-\x7e]*$/u;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Reads `last`, `last4`, `last(4)`, `last(4, *)`, `last(, *)` and `last()`, and so for the other windows.
 *
 * @returns undefined where the text is no partial mask
 */
export function parsePartialMask(text: string): PartialMask | undefined {
  const match = FORM.exec(text);
  const window = WINDOWS.get(match?.[1]?.toLowerCase() ?? '');
  if (!match || !window) return undefined;
  const character = match[4];
  if (character !== undefined && split(character).length !== 1) return undefined;
  return { window, visible: Number(match[2] || match[3] || DEFAULT_VISIBLE), character };
}

/**
 * Masks a text. What a person calls one character is one, however many code units it has.
 *
 * @returns the text itself where the window covers all of it
 */
export function maskText(text: string, mask: PartialMask): string {
  return masked(split(text), mask, mask.character ?? TEXT_CHARACTER);
}

/**
 * Masks the digits of a number; sign, point and exponent stay.
 *
 * @param text a JSON number
 * @returns a JSON number: zeros that the mask puts in front are dropped
 */
export function maskNumber(text: string, mask: PartialMask): string {
  const [, sign = '', mantissa = '', exponent = ''] = /^(-?)([\d.]+)(.*)$/u.exec(text) ?? [];
  const digits = mantissa.replace('.', '').split('');
  const character = mask.character !== undefined && /^\d$/u.test(mask.character) ? mask.character : DIGIT;
  const shown = masked(digits, mask, character);
  const point = mantissa.indexOf('.');
  const whole = point < 0 ? shown : shown.slice(0, point);
  const fraction = point < 0 ? '' : `.${shown.slice(point)}`;
  return `${sign}${withoutLeadingZeros(whole)}${fraction}${exponent}`;
}

function masked(parts: readonly string[], mask: PartialMask, character: string): string {
  const isVisible = visibility(mask, parts.length);
  return parts.map((part, i) => (isVisible(i) ? part : character)).join('');
}

function visibility({ window, visible }: PartialMask, length: number): (index: number) => boolean {
  const before = Math.floor((length - visible) / 2);
  switch (window) {
    case 'first':
      return (i) => i < visible;
    case 'middle':
      return (i) => i >= before && i < before + visible;
    case 'last':
      return (i) => i >= length - visible;
    case 'edges':
      return (i) => i < visible || i >= length - visible;
  }
}

/** A text as the characters that a person counts. */
function split(text: string): string[] {
  return ASCII.test(text) ? text.split('') : Array.from(characters.segment(text), ({ segment }) => segment);
}

function withoutLeadingZeros(digits: string): string {
  const first = digits.search(/[^0]/u);
  return first < 0 ? '0' : digits.slice(first);
}
