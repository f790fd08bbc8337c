import { ACTION_NAMES, keysNamed, problemWithAction, problemWithLiteral } from './action-text.ts';
import type { Action } from './policy.ts';
import { closed, inOneForm, plainText, text } from './vocabulary.ts';

/** What a named action begins with, in Go's and JSON Schema's syntax. */
const PATTERN = `(?i)^\\s*(?:${ACTION_NAMES.join('|')})(?:[^a-z].*)?$`;

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
  const customAction = closed({
    name: text,
    value: plainText.superRefine((value, context) => {
      const problem = problemWithLiteral(value, keys);
      if (problem !== undefined) context.addIssue(problem);
    }),
  });
  return inOneForm<Action>((value) => (typeof value === 'object' ? customAction : named));
}
