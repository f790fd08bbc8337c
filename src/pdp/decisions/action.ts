import { literal, parseAction, type AskedAction, type MaskKeys } from '../../core/index.ts';
import { notUnderstood, within, type JsonPointer } from './not-understood.ts';

export interface PrioritizedAction {
  readonly action: AskedAction;
  /** As it is written, without its priority. */
  readonly text: string;
  /** Lower ones are tried first; undefined comes last. */
  readonly priority: bigint | undefined;
}

/** What an action of a decision says. */
export interface AskedText {
  readonly action?: string | undefined;
  readonly value?: string | undefined;
}

const PRIORITY = /^\s*(\d+)\s*::(.*)$/su;

/**
 * Reads an action (docs/pdp-contract.md#the-answer): its value if it has one, else its name. Next to the name of one of
 * our actions, an empty value counts as absent; next to any other name, it is the literal.
 *
 * @throws ServiceError `decision-not-understood` if there is no value, or one that is neither an action nor a literal
 */
export function readAction(
  { action, value }: AskedText,
  place: JsonPointer,
  keys: MaskKeys,
): PrioritizedAction {
  const name = action ?? '';
  if (value === undefined) return readText(name, place, 'action', keys);
  if (value.trim() !== '' || name.trim() === '') return readText(value, place, 'value', keys);
  const named = readText(name, place, 'action', keys);
  return named.isLiteral ? { ...named, action: literal(value), text: value } : named;
}

/** What the text of an action says without its priority. */
interface Asked extends Omit<PrioritizedAction, 'priority'> {
  readonly isLiteral: boolean;
}

interface ReadText extends PrioritizedAction, Asked {}

/** The longest priority: to read a number of millions of digits takes seconds. */
export const MAX_PRIORITY_DIGITS = 1000;

/** How many texts of actions are kept, and their longest length in characters: decisions repeat few texts. */
const MAX_KNOWN = 512;
const MAX_KNOWN_LENGTH = 64;

/** The texts that were read with some keys: rules that ask the same share their action. */
let known: { readonly keys: MaskKeys; readonly texts: Map<string, ReadText> } | undefined;

function readText(text: string, place: JsonPointer, member: 'action' | 'value', keys: MaskKeys): ReadText {
  const [, digits, rest] = (text.includes('::') && PRIORITY.exec(text)) || [];
  if (digits === undefined || rest === undefined) return readAsked(text, place, member, keys);
  if (digits.length > MAX_PRIORITY_DIGITS)
    throw notUnderstood(`a priority of more than ${MAX_PRIORITY_DIGITS} digits`, place);
  return { ...readAsked(rest, place, member, keys), priority: BigInt(digits) };
}

function readAsked(text: string, place: JsonPointer, member: 'action' | 'value', keys: MaskKeys): ReadText {
  if (known?.keys !== keys) known = { keys, texts: new Map() };
  const { texts } = known;
  const before = texts.get(text);
  if (before) return before;
  const read = { ...parseAsked(text, place, member, keys), priority: undefined };
  if (texts.size >= MAX_KNOWN) texts.clear();
  if (text.length <= MAX_KNOWN_LENGTH) texts.set(text, read);
  return read;
}

function parseAsked(text: string, place: JsonPointer, member: 'action' | 'value', keys: MaskKeys): Asked {
  if (text.trim() === '') throw notUnderstood('an action without a value', place);
  const read = parseAction(text, keys);
  if (read && 'problem' in read) throw notUnderstood(`an action that ${read.problem}`, within(place, member));
  return { action: read ?? literal(text), text: read ? text.trim() : text, isLiteral: read === undefined };
}
