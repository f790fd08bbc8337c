import { parseAction, type PrioritizedAction } from './actions.ts';
import { memberOfObject } from './decision.ts';
import { isDryRun, policiesOf } from './policies.ts';
import { Refusal, requireOfDecision } from './refusal.ts';
import type { Rule } from './rule.ts';

/**
 * What an action asks for: its value if it has one, else its name (enforcement §5). An empty value is none next to one of our
 * actions, and the literal next to any other.
 */
export function actionOf(action: unknown): PrioritizedAction {
  const name = textOf(memberOfObject(action, 'action') ?? '');
  const value = textOf(memberOfObject(action, 'value') ?? name);
  if (value.trim() !== '') return parseAction(value);
  requireOfDecision(name.trim() !== '', 'an action with no value');
  const named = parseAction(name);
  return named.action.kind === 'literal'
    ? { action: { kind: 'literal', text: value }, priority: undefined }
    : named;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Refusal(502, 'The decision is not understood: an action that is no text');
}

/** The policies behind a rule may stand on the entry or on the action. */
export function policiesBehind(entry: unknown, action: unknown): Pick<Rule, 'policies' | 'dryRun'> {
  const policies = [...policiesOf(entry), ...policiesOf(action)];
  return { policies, dryRun: isDryRun(policies) };
}
