import { parseAction, type PrioritizedAction } from './actions.ts';
import { memberOfObject } from './decision.ts';
import { isDryRun, policiesOf } from './policies.ts';
import { requireOfDecision } from './refusal.ts';
import type { Rule } from './rule.ts';

/**
 * What an action asks for: its value if it has one, else its name (enforcement §5). An empty value is none next to one of our
 * actions, and the literal next to any other.
 */
export function actionOf(action: unknown): PrioritizedAction {
  const name = memberOfObject(action, 'action') ?? '';
  const value = memberOfObject(action, 'value') ?? name;
  requireOfDecision(typeof value === 'string' && typeof name === 'string', 'an action that is no text');
  if (!isBlank(value)) return parseAction(String(value));
  requireOfDecision(!isBlank(name), 'an action with no value');
  const named = parseAction(String(name));
  const isLiteral = named.action.kind === 'literal';
  return isLiteral ? { action: { kind: 'literal', text: String(value) }, priority: undefined } : named;
}

function isBlank(text: unknown): boolean {
  return String(text).trim() === '';
}

/** The policies behind a rule may stand on the entry or on the action. */
export function policiesBehind(entry: unknown, action: unknown): Pick<Rule, 'policies' | 'dryRun'> {
  const policies = [...policiesOf(entry), ...policiesOf(action)];
  return { policies, dryRun: isDryRun(policies) };
}
