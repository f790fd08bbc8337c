import { parsePartialMask } from '../../../../core/actions/partial.ts';
import type { Action } from '../policy.ts';
import { nearestOf } from './nearest-of.ts';
import { closed, inOneForm, text } from './vocabulary.ts';

const NAMES = ['MASK', 'FILTER', 'first', 'middle', 'last', 'edges'] as const;
const PRIORITY = /^\s*\d+\s*::/;
const PRIORITY_MISPLACED = 'has a priority in front; give it as the priority of the policy';

/** An action by its name. A literal is written as a map, so that a misspelt mask is not taken for one. */
const namedAction = text
  .transform((name, context): Action => {
    const problem = problemWith(name);
    if (problem !== undefined) context.addIssue(problem);
    return { name };
  })
  // For the JSON schema of the chart.
  .meta({ pattern: `(?i)^\\s*(?:${NAMES.join('|')})(?:[^a-z].*)?$` });

const customAction = closed({
  name: text,
  value: text.refine((value) => !PRIORITY.test(value), PRIORITY_MISPLACED),
});

/** What a policy does with a property or a record (specification 2.5). */
export const action = inOneForm<Action>((value) => (typeof value === 'object' ? customAction : namedAction));

function problemWith(name: string): string | undefined {
  if (PRIORITY.test(name)) return PRIORITY_MISPLACED;
  if (/^(?:mask|filter)$/i.test(name) || parsePartialMask(name) !== undefined) return undefined;
  const word = name.replace(/[\s\d(].*$/s, '');
  return `must be MASK, FILTER or a mask such as last(4), or { name, value } to set a value${nearestOf(word, NAMES)}`;
}
