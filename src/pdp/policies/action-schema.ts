import {
  ACTIONS,
  parseAction,
  SPACES,
  type ActionProblem,
  type AskedAction,
  type MaskKey,
  type MaskKeys,
} from '../../core/index.ts';
import { memberAsked, type Action } from './policy.ts';
import { nearestOf } from '../../nearest.ts';
import { always, areRight, closed, inOneForm, plainTextOrEmpty, text } from './vocabulary.ts';

const NAMES = ['MASK', 'FILTER', ...ACTIONS.flatMap(({ names }) => names).filter((name) => name !== 'mask')];
/** How each is written, such as `remove()`. */
const WRITTEN = new Map(
  ACTIONS.flatMap(({ names, row }) =>
    names.map((name) => [name, row.forms.find((form) => form.startsWith(`${name}(`)) ?? name] as const),
  ),
);
/** What a named action begins with, in Go's syntax, as JSON schemas in charts have it. */
const PATTERN = `(?is)^[${SPACES}]*(?:${NAMES.join('|')})(?:[^a-z].*)?$`;
const PRIORITY = /^\s*\d+\s*::/;
const PRIORITY_MISPLACED = 'has a priority in front; give it as the priority of the policy';

/**
 * The schema of the action of a policy (docs/policy-file.md#actions). An action is written by its name, and a literal
 * as a map, so that a misspelt mask is not taken for a literal.
 *
 * @param maskKeys the names that hashes may use; any if undefined
 */
export function actionSchema(maskKeys: ReadonlySet<string> | undefined) {
  const keys = keysNamed(maskKeys);
  const namedAction = text.superRefine((name, context) => {
    const problem = problemWithAction(name, keys);
    if (problem !== undefined) context.addIssue(problem);
  });
  // For the JSON schema of the chart.
  const named = namedAction.transform((name) => ({ name })).meta({ pattern: PATTERN });
  const customAction = closed(
    { name: text, value: plainTextOrEmpty },
    'the name of an action, such as MASK, or ',
  ).superRefine((action, context) => {
    if (!areRight(context, 'name', 'value')) return;
    const member = memberAsked(action);
    const message = problemWithLiteral(action[member], keys);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [member], message });
  }, always);
  return inOneForm<Action>((value) => (typeof value === 'object' ? customAction : named));
}

/** What the action of a policy may be, in words. */
const FORMS = 'MASK, FILTER or a mask such as last(4), or { name, value } to set a value';

/**
 * Why a text cannot be an action; undefined if it can.
 *
 * @param forms what it may be, in words
 */
export function problemWithAction(name: string, keys: MaskKeys = ANY_KEY, forms = FORMS): string | undefined {
  if (PRIORITY.test(name)) return PRIORITY_MISPLACED;
  const read = parseAction(name, keys);
  if (isProblem(read)) return read.problem;
  if (read !== undefined) return undefined;
  const word = name.replace(/[\s\d(].*$/s, '');
  return `must be ${forms}${nearestOf(word, NAMES, WRITTEN)}`;
}

/** Why a text cannot be the value that a policy sets; undefined if it can. */
export function problemWithLiteral(value: string, keys: MaskKeys = ANY_KEY): string | undefined {
  const read = PRIORITY.test(value) ? { problem: PRIORITY_MISPLACED } : parseAction(value, keys);
  return isProblem(read) ? read.problem : undefined;
}

function isProblem(read: AskedAction | ActionProblem | undefined): read is ActionProblem {
  return read !== undefined && 'problem' in read;
}

/** A policy file names keys and never uses them: {@link UNUSED} represents each of them. */
function keysNamed(names: ReadonlySet<string> | undefined): MaskKeys {
  return { get: (name) => (names?.has(name) === false ? undefined : UNUSED) };
}

const UNUSED: MaskKey = {
  get current(): never {
    throw new Error('A policy file has no keys.');
  },
};

const ANY_KEY = keysNamed(undefined);
