import { parseAction, type PrioritizedAction } from './actions.ts';
import { listOf, memberOfObject, stringOrNothing } from './decision.ts';
import type { Json } from './model.ts';
import { isDryRun, policiesOf } from './policies.ts';
import { requireOfDecision, understood } from './refusal.ts';
import type { Rule } from './rule.ts';

/** The actions of an entry. An entry without any is masked by default (docs/pdp-contract.md#the-answer); `undefined` means that. */
export function actionsOf(entry: Json): readonly (Json | undefined)[] {
  const actions = listOf(memberOfObject(entry, 'actions'));
  return actions.length === 0 ? [undefined] : actions;
}

/**
 * What an action asks for: its value if it has one, else its name. An empty value next to one of our
 * actions is no value, and next to any other action it is the empty text, with the priority of that action.
 */
export function actionOf(action: Json | undefined): PrioritizedAction {
  if (action === undefined) return { action: { kind: 'mask' }, priority: undefined };
  const value = valueOf(memberOfObject(action, 'value'));
  if (value !== undefined && value.trim() !== '') return parseAction(value);
  const name = textOf(memberOfObject(action, 'action')) ?? '';
  requireOfDecision(name.trim() !== '', 'an action with no value');
  const named = parseAction(name);
  const isEmptyText = value !== undefined && named.action.kind === 'literal';
  return isEmptyText ? { ...named, action: { kind: 'literal', text: value } } : named;
}

/** The policies of a rule may be on the entry or on the action. */
export function policiesBehind(entry: Json, action: Json | undefined): Pick<Rule, 'policies' | 'dryRun'> {
  const policies = [...policiesOf(entry), ...(action === undefined ? [] : policiesOf(action))];
  return { policies, dryRun: isDryRun(policies) };
}

/** A number counts as it is written. */
function valueOf(value: Json | undefined): string | undefined {
  return value?.kind === 'number' ? value.text : textOf(value);
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : understood(stringOrNothing(value), 'an action that is no text');
}
