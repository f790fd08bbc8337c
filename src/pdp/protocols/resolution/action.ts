import type { Action } from '../../../core/actions/action.ts';
import { parsePartialMask } from '../../../core/actions/partial.ts';
import type { ActionAnswer } from './answer.ts';
import { notUnderstood, type Place } from './error.ts';

/** What an action asks: that a property changes, or that records are filtered. */
type AskedAction = Action | { readonly kind: 'filter' };

export interface PrioritizedAction {
  readonly action: AskedAction;
  /** Lower ones are tried first; undefined goes behind all. */
  readonly priority: bigint | undefined;
}

const PRIORITY = /^\s*(\d+)\s*::(.*)$/su;

/**
 * Reads an action (specification 2.5, enforcement §6 "Actions"): its value where it has one, else its name.
 *
 * @throws ServiceError `decision-not-understood` where there is no value
 */
export function readAction({ action, value }: ActionAnswer, place: Place): PrioritizedAction {
  const name = action ?? '';
  const text = value === undefined || (value === '' && isOurs(name)) ? name : value;
  if (text === '' && value === undefined) throw notUnderstood('an action without a value', place);
  const [, digits, behind = text] = PRIORITY.exec(text) ?? [];
  if (digits === undefined && MISSPELT_PRIORITY.test(text)) throw notUnderstood('an action with a priority that is no number', place);
  if (digits !== undefined && behind.trim() === '') throw notUnderstood('an action without a value', place);
  if (behind.trim() === '' && value === undefined) throw notUnderstood('an action without a value', place);
  const parsed = parseAction(behind);
  if (parsed.kind === 'literal' && OPENS.test(behind)) throw notUnderstood('an action that cannot be parsed', place);
  return { action: parsed, priority: digits === undefined ? undefined : BigInt(digits) };
}
const OPENS = /^\s*(?:mask|filter|first|middle|last|edges)\s*\(/iu;
const MISSPELT_PRIORITY = /::\s*(?:mask|filter|(?:first|middle|last|edges)(?:\d+|\([^)]*\))?)\s*$/iu;
function isOurs(text: string): boolean {
  const [, , behind = text] = PRIORITY.exec(text) ?? [];
  return parseAction(behind).kind !== 'literal';
}

/** Names are read without regard to case and to the spaces around them; a literal is taken as it stands. */
function parseAction(text: string): AskedAction {
  const name = text.trim().toUpperCase();
  if (name === 'MASK') return { kind: 'mask' };
  if (name === 'FILTER') return { kind: 'filter' };
  const mask = parsePartialMask(text.trim());
  return mask ? { kind: 'partial', mask } : { kind: 'literal', text };
}
