import type { Action, ActionKind, ActionProblem } from './action.ts';
import { bucket } from './bucket.ts';
import { card } from './card.ts';
import { month, year } from './date.ts';
import { mask } from './default-mask.ts';
import { email } from './email.ts';
import { empty } from './empty.ts';
import { hash } from './hash.ts';
import type { MaskKeys } from './mask-keys.ts';
import { nulling } from './null.ts';
import { partial } from './partial.ts';
import { remove } from './remove.ts';
import { round } from './round.ts';
import { shape } from './shape.ts';
import { value } from './value.ts';

/** Every action but `FILTER`, which is about records, and literals, which have no name. In the order of docs/masks.md. */
export const ACTIONS: readonly ActionKind[] = [
  mask,
  partial,
  remove,
  nulling,
  empty,
  value,
  email,
  card,
  shape,
  year,
  month,
  round,
  bucket,
  hash,
];

const FILTER = 'filter';
const BY_NAME = new Map(ACTIONS.flatMap((action) => action.names.map((name) => [name, action] as const)));
const NAMES = [...BY_NAME.keys(), FILTER].join('|');
const NAMES_OF_PARTIAL = partial.names.join('|');

/** A partial mask may have spaces before its bracket, and has its number in the bracket or before it. */
const BEGINS_BRACKETED = `(?:${NAMES})\\(|(?:${NAMES_OF_PARTIAL})\\d*\\s*\\(`;
const OPENS_BRACKET = new RegExp(`^(?:${BEGINS_BRACKETED})`, 'iu');
const IS_BARE = `(?:mask|${FILTER}|(?:${NAMES_OF_PARTIAL})\\d*)\\s*$`;
export const FOLLOWS_COLONS = new RegExp(`::\\s*(?:${BEGINS_BRACKETED}|${IS_BARE})`, 'iu');

/** What the text of an action asks: that records are filtered, that a property changes, or nothing that can be read. */
export type AskedAction = Action | { readonly kind: 'filter' };

/**
 * Reads the text of an action without its priority (docs/masks.md). Case of names and surrounding
 * spaces do not matter.
 *
 * @param keys the keys that hashes may use
 * @returns undefined for a text that is a literal; a problem for one that is neither an action nor a literal
 */
export function parseAction(text: string, keys: MaskKeys): AskedAction | ActionProblem | undefined {
  const trimmed = text.trim();
  const name = /^[a-z]+/iu.exec(trimmed)?.[0].toLowerCase() ?? '';
  if (name === FILTER && trimmed.length === FILTER.length) return { kind: 'filter' };
  const kind = BY_NAME.get(name);
  const read = kind?.read(trimmed, keys);
  if (read) return read;
  if (trimmed.includes('(') && OPENS_BRACKET.test(trimmed))
    return { problem: `cannot be read${shouldBe(kind)}` };
  return trimmed.includes('::') && FOLLOWS_COLONS.test(trimmed)
    ? { problem: 'has no number before ::' }
    : undefined;
}

function shouldBe(kind: ActionKind | undefined): string {
  return kind ? ` (it must be ${kind.row.forms.join(', ')})` : '';
}
