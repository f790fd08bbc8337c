import { parseAction, type PrioritizedAction } from './actions.ts';
import { memberOfObject } from './decision.ts';
import { isDryRun, policiesOf } from './policies.ts';
import { requireOfDecision } from './refusal.ts';
import type { Rule } from './rule.ts';

/** What an action asks for: its value where it has one, else its name (enforcement §5). */
export function actionOf(action: unknown): PrioritizedAction {
  const value = memberOfObject(action, 'value') ?? memberOfObject(action, 'action');
  requireOfDecision(typeof value === 'string' && value.trim() !== '', 'an action with no value');
  return parseAction(String(value));
}

/** The policies behind a rule may stand on the entry or on the action. */
export function policiesBehind(entry: unknown, action: unknown): Pick<Rule, 'policies' | 'dryRun'> {
  const policies = [...policiesOf(entry), ...policiesOf(action)];
  return { policies, dryRun: isDryRun(policies) };
}
