import { NULL, keyIdOf, stringOf, type Json } from './model.ts';

/** A mask that leaves a window visible. */
export interface PartialMask {
  readonly kind: 'partial';
  readonly window: string;
  readonly count: number;
  /** Undefined if the action leaves the mask character to the value's type. */
  readonly character: string | undefined;
}

const PARTIAL =
  /^(?<window>first|middle|last|edges)(?:(?<bare>[0-9]+)|\s*\(\s*(?<count>[0-9]*)\s*(?:,\s*(?<character>\S.*?)\s*)?\))?$/is;

export function parsePartialMask(text: string): PartialMask | undefined {
  const groups = PARTIAL.exec(text)?.groups;
  if (groups?.['window'] === undefined) return undefined;
  const { window, bare, count = bare, character } = groups;
  if (character !== undefined && charactersOf(character).length > 1) return undefined;
  return { kind: 'partial', window: window.toLowerCase(), count: Number(count || 4), character };
}

/** @returns undefined for a value that the window covers, if those get the default mask */
export function maskPartly(mask: PartialMask, value: Json, maskShort: boolean): Json | undefined {
  if (maskShort && coversAll(mask, value)) return undefined;
  if (value.kind === 'string') return maskText(mask, value);
  return value.kind === 'number' ? maskNumber(mask, value) : NULL;
}

function coversAll(mask: PartialMask, value: Json): boolean {
  const length = lengthOf(value);
  if (length === undefined) return false;
  return Array.from({ length }, (_, at) => at).every(visibleWindow(mask, length));
}

function lengthOf(value: Json): number | undefined {
  if (value.kind === 'string') return charactersOf(value.value).length;
  return value.kind === 'number' ? value.text.replace(/[eE].*/, '').replace(/[^0-9]/g, '').length : undefined;
}

function maskText(mask: PartialMask, value: Extract<Json, { kind: 'string' }>): Json {
  const characters = charactersOf(value.value);
  const visible = visibleWindow(mask, characters.length);
  if (characters.every((_, at) => visible(at))) return value;
  return stringOf(
    characters.map((character, at) => (visible(at) ? character : (mask.character ?? '*'))).join(''),
  );
}

/** Only the digits before the exponent count; zeros in front are dropped, as JSON demands. */
function maskNumber(mask: PartialMask, value: Extract<Json, { kind: 'number' }>): Json {
  const [mantissa = '', ...exponent] = value.text.split(/(?=[eE])/);
  const digit = /^[0-9]$/.test(mask.character ?? '') ? (mask.character ?? '') : '9';
  const visible = visibleWindow(mask, mantissa.replace(/[^0-9]/g, '').length);
  let at = -1;
  const masked = mantissa.replace(/[0-9]/g, (original) => (visible((at += 1)) ? original : digit));
  return keyIdOf([masked.replace(/^(-?)0+(?=[0-9])/, '$1'), ...exponent].join(''));
}

/** Which of a number of characters stay visible. */
function visibleWindow({ window, count }: PartialMask, length: number): (at: number) => boolean {
  const hidden = length - count;
  const left = Math.floor(hidden / 2);
  return (at) => {
    if (window === 'first') return at < count;
    if (window === 'last') return at >= hidden;
    if (window === 'edges') return at < count || at >= hidden;
    return hidden <= 0 || (at >= left && at < left + count);
  };
}

/** What a person would call characters. */
export function charactersOf(text: string): string[] {
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}
