import type { Action, ActionKind, ActionProblem, ActionRow } from './action.ts';
import type { MaskKeys } from './mask-keys.ts';

/** Reads what an action has in its brackets, without the spaces around it; undefined if it is wrong. */
type ArgumentReader = (argument: string, keys: MaskKeys) => Action['compile'] | ActionProblem | undefined;

/** Something other than spaces. */
const ANYTHING = String.raw`.*\S.*`;

/**
 * An action that is written with brackets directly after its name: `email()`, `round(1000)`. The bare name is a literal, as
 * it was before there was such an action.
 *
 * @param argument the form of what the brackets have, as in `ActionKind.pattern`
 * @param beyond the form of what is refused of it, as in `ActionKind.beyond`
 */
export function bracketed(
  name: string,
  row: ActionRow,
  readArgument: ArgumentReader,
  argument = ANYTHING,
  beyond?: string,
): ActionKind {
  return {
    names: [name],
    row,
    pattern: within(name, argument),
    ...(beyond !== undefined && { beyond: within(name, beyond) }),
    read(text, keys) {
      if (text[name.length] !== '(' || !text.endsWith(')')) return undefined;
      const read = readArgument(text.slice(name.length + 1, -1).trim(), keys);
      return typeof read === 'function' ? { kind: 'change', compile: read } : read;
    },
  };
}

function within(name: string, argument: string): string {
  return String.raw`${name}\(\s*(?:${argument})\s*\)`;
}

/** An action with nothing in its brackets. */
export function plain(name: string, row: ActionRow, compile: Action['compile']): ActionKind {
  return bracketed(name, row, (argument) => (argument === '' ? compile : undefined), '');
}
