import type { Action } from '../masking/actions/action.ts';
import { parsePartialMask } from '../masking/actions/partial.ts';
import type { ActionAnswer } from './answer.ts';
import { notUnderstood, type Place } from './error.ts';

/** What an action asks: that a property changes, or that records are filtered. */
export type AskedAction = Action | { readonly kind: 'filter' };

export interface PrioritizedAction {
  readonly action: AskedAction;
  /** Lower ones are tried first; undefined goes behind all. */
  readonly priority: bigint | undefined;
}

const PRIORITY = /^(\d+)\s*::(.*)$/su;

/**
 * Reads an action (specification 2.5, enforcement §6 "Actions"): its value where it has one, else its name.
 *
 * @throws ServiceError `decision-not-understood` where there is no value
 */
export function readAction({ action, value }: ActionAnswer, place: Place): PrioritizedAction {
  const text = (value ?? action ?? '').trim();
  const [, digits, behind] = PRIORITY.exec(text) ?? [];
  const asked = (behind ?? text).trim();
  if (asked === '') throw notUnderstood('an action without a value', place);
  return { action: parseAction(asked), priority: digits === undefined ? undefined : BigInt(digits) };
}

function parseAction(text: string): AskedAction {
  const name = text.toUpperCase();
  if (name === 'MASK') return { kind: 'mask' };
  if (name === 'FILTER') return { kind: 'filter' };
  const mask = parsePartialMask(text);
  return mask ? { kind: 'partial', mask } : { kind: 'literal', text };
}
