import {
  ACTIONS,
  parseAction,
  type ActionProblem,
  type AskedAction,
  type MaskKey,
  type MaskKeys,
} from '../../core/index.ts';
import { nearestOf } from './nearest-of.ts';

/** The names of the actions of policies. */
export const ACTION_NAMES = [
  'MASK',
  'FILTER',
  ...ACTIONS.flatMap(({ names }) => names).filter((name) => name !== 'mask'),
];
/** How each is written, such as `remove()`. */
const WRITTEN = new Map(
  ACTIONS.flatMap(({ names, row }) =>
    names.map((name) => [name, row.forms.find((form) => form.startsWith(`${name}(`)) ?? name] as const),
  ),
);
const PRIORITY = /^\s*\d+\s*::/;
const PRIORITY_MISPLACED = 'has a priority in front; give it as the priority of the policy';

/** Why a text cannot be the action of a policy; undefined if it can. */
export function problemWithAction(name: string, keys: MaskKeys = ANY_KEY): string | undefined {
  if (PRIORITY.test(name)) return PRIORITY_MISPLACED;
  const read = parseAction(name, keys);
  if (isProblem(read)) return read.problem;
  if (read !== undefined) return undefined;
  const word = name.replace(/[\s\d(].*$/s, '');
  return `must be MASK, FILTER or a mask such as last(4), or { name, value } to set a value${nearestOf(word, ACTION_NAMES, WRITTEN)}`;
}

/** Why a text cannot be the value that a policy sets; undefined if it can. */
export function problemWithLiteral(value: string, keys: MaskKeys = ANY_KEY): string | undefined {
  const read = PRIORITY.test(value) ? { problem: PRIORITY_MISPLACED } : parseAction(value, keys);
  return isProblem(read) ? read.problem : undefined;
}

function isProblem(read: AskedAction | ActionProblem | undefined): read is ActionProblem {
  return read !== undefined && 'problem' in read;
}

/**
 * The keys that hashes may use, by their names; any if undefined. A policy file names keys and never uses them: {@link UNUSED}
 * represents each of them.
 */
export function keysNamed(names: ReadonlySet<string> | undefined): MaskKeys {
  return { get: (name) => (names?.has(name) === false ? undefined : UNUSED) };
}

const UNUSED: MaskKey = {
  get current(): never {
    throw new Error('A policy file has no keys.');
  },
};

const ANY_KEY = keysNamed(undefined);
