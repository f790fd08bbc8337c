import { ACTIONS } from '../../src/core/actions/registry.ts';
import { createMask, type Mask } from './masks.ts';
import { isEmpty, NULL, stringOf, type Json } from './model.ts';
import { parseJson } from './parse.ts';
import { maskPartly, parsePartialMask, type PartialMask } from './partial.ts';
import { Refusal, requireOfDecision } from './refusal.ts';

/** What a rule does to a property (docs/enforcement.md#actions). */
export type Action =
  | { readonly kind: 'mask' }
  | { readonly kind: 'filter' }
  | { readonly kind: 'remove' }
  | PartialMask
  | { readonly kind: 'function'; readonly mask: Mask }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'literal'; readonly text: string };

export interface PrioritizedAction {
  readonly action: Action;
  readonly priority: bigint | undefined;
}

export interface MaskSettings {
  readonly maskString: string;
  readonly maskShort: boolean;
}

const PRIORITY = /^\s*(?<priority>[0-9]+)\s*::(?<rest>.*)$/s;
const PARTIAL_NAMES = 'first|middle|last|edges';
/** Of the product, no more than the names: what each action does is written here again. */
const NAMES = [...ACTIONS.flatMap(({ names }) => names), 'filter'].join('|');
const BARE = new RegExp(`^\\s*(mask|filter|(${PARTIAL_NAMES})[0-9]*)\\s*$`, 'i');
const OPENED = new RegExp(`^\\s*((${NAMES})\\(|(${PARTIAL_NAMES})\\s*\\()`, 'i');

/**
 * Reads the text of an action.
 *
 * @throws Refusal 502 if it is neither one of our actions nor a text that someone could mean literally.
 */
export function parseAction(value: string): PrioritizedAction {
  const { priority, rest = value } = PRIORITY.exec(value)?.groups ?? {};
  requireOfDecision(rest.trim() !== '', 'a priority without an action');
  return { action: parseBareAction(rest), priority: priority === undefined ? undefined : BigInt(priority) };
}

/** What an action makes of a value that is there; nothing of the kind is asked of `remove()`. */
export function applyAction(action: Action, value: Json, settings: MaskSettings): Json {
  switch (action.kind) {
    case 'filter':
    case 'remove':
      return value;
    case 'mask':
      return defaultMask(value, settings);
    case 'partial':
      return maskPartly(action, value, settings.maskShort) ?? defaultMask(value, settings);
    case 'function':
      return value.kind === 'null' ? NULL : (action.mask(value) ?? defaultMask(value, settings));
    case 'value':
      return action.value;
    case 'literal':
      return value.kind === 'string' || isEmpty(value) ? stringOf(action.text) : NULL;
  }
}

/** What an action sets where there is nothing. */
export function createdBy(action: Action): Json | undefined {
  if (action.kind === 'literal') return stringOf(action.text);
  return action.kind === 'value' ? action.value : undefined;
}

function defaultMask(value: Json, { maskString }: MaskSettings): Json {
  return value.kind === 'string' ? stringOf(maskString) : NULL;
}

function parseBareAction(text: string): Action {
  const name = text.trim().toLowerCase();
  if (name === 'mask') return { kind: 'mask' };
  if (name === 'filter') return { kind: 'filter' };
  const partial = parsePartialMask(text.trim());
  if (partial !== undefined) return partial;
  const [, word = '', argument = ''] = /^([a-z]+)\((.*)\)$/is.exec(text.trim()) ?? [];
  const action = parseFunction(word.toLowerCase(), argument.trim());
  if (action !== undefined) return action;
  requireOfDecision(!isBrokenAction(text), 'text that is neither an action nor a literal');
  return { kind: 'literal', text };
}

function parseFunction(name: string, argument: string): Action | undefined {
  if (name === 'remove' && argument === '') return { kind: 'remove' };
  if (name === 'value') return { kind: 'value', value: parseValue(argument) };
  const mask = createMask(name, argument);
  return mask && { kind: 'function', mask };
}

function parseValue(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new Refusal(502, 'value() of no JSON');
  }
}

/** Text that opens the brackets of an action, or has an action after `::`. */
function isBrokenAction(text: string): boolean {
  const afterColons = [...text.matchAll(/::/g)].map(({ index }) => text.slice(index + 2));
  return OPENED.test(text) || afterColons.some((rest) => OPENED.test(rest) || BARE.test(rest));
}
