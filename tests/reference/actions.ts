import { requireOfDecision } from './refusal.ts';
import { isEmpty, NULL, numberOf, stringOf, type Json } from './model.ts';

/** What a rule does to a property (enforcement §6 and §7). */
export type Action =
  | { readonly kind: 'mask' }
  | { readonly kind: 'filter' }
  | PartialMask
  | { readonly kind: 'literal'; readonly text: string };

interface PartialMask {
  readonly kind: 'partial';
  readonly window: string;
  readonly count: number;
  /** Undefined if the action leaves the mask character to the value's type. */
  readonly character: string | undefined;
}

export interface PrioritizedAction {
  readonly action: Action;
  readonly priority: bigint | undefined;
}

const PRIORITY = /^\s*(?<priority>[0-9]+)\s*::(?<rest>.*)$/s;
const PARTIAL =
  /^(?<window>first|middle|last|edges)(?:(?<bare>[0-9]+)|\(\s*(?<count>[0-9]*)\s*(?:,\s*(?<character>\S.*?)\s*)?\))?$/is;
const OURS_WITH_BRACKET = /^(?:mask|filter|first|middle|last|edges)\s*\(/i;

/**
 * Reads the text of an action.
 *
 * @throws Refusal 502 if it is neither one of our actions nor a text that someone could mean literally.
 */
export function parseAction(value: string): PrioritizedAction {
  const { priority, rest = value } = PRIORITY.exec(value)?.groups ?? {};
  const action = parseOurs(rest) ?? { kind: 'literal', text: rest };
  requireOfDecision(action.kind !== 'literal' || !isMisspelt(rest), 'a misspelt action');
  return { action, priority: priority === undefined ? undefined : BigInt(priority) };
}

/** Whether an action's name is one of ours, so that it needs no value. */
export function namesOneOfOurActions(name: string): boolean {
  return parseAction(name).action.kind !== 'literal';
}

function parseOurs(text: string): Action | undefined {
  const name = text.trim().toLowerCase();
  if (name === 'mask') return { kind: 'mask' };
  if (name === 'filter') return { kind: 'filter' };
  return parsePartialMask(text.trim());
}

/** `last(4` and `x::MASK` are neither actions nor literals (enforcement §6). */
function isMisspelt(text: string): boolean {
  const [first = '', ...later] = text.split('::').map((part) => part.trim());
  return (
    OURS_WITH_BRACKET.test(first) ||
    later.some((part) => OURS_WITH_BRACKET.test(part) || parseOurs(part) !== undefined)
  );
}

/** What an action makes of a value that is there. */
export function applyAction(action: Action, value: Json, maskString: string): Json {
  if (action.kind === 'filter') return value;
  if (action.kind === 'partial') return maskPartly(action, value);
  if (action.kind === 'mask') return value.kind === 'string' ? stringOf(maskString) : NULL;
  return value.kind === 'string' || isEmpty(value) ? stringOf(action.text) : NULL;
}

function parsePartialMask(text: string): PartialMask | undefined {
  const groups = PARTIAL.exec(text)?.groups;
  if (groups?.['window'] === undefined) return undefined;
  const { window, bare, count = bare, character } = groups;
  if (character !== undefined && charactersOf(character).length > 1) return undefined;
  return { kind: 'partial', window: window.toLowerCase(), count: Number(count || 4), character };
}

function maskPartly(mask: PartialMask, value: Json): Json {
  if (value.kind === 'string') return maskText(mask, value);
  return value.kind === 'number' ? maskNumber(mask, value) : NULL;
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
  return numberOf([masked.replace(/^(-?)0+(?=[0-9])/, '$1'), ...exponent].join(''));
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
function charactersOf(text: string): string[] {
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}
