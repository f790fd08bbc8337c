import type { Action, MaskSettings } from '../actions/action.ts';
import type { CompiledAction } from '../actions/mask-result.ts';
import type { PropertyRule, Rules } from '../rule.ts';
import type { Target } from './targets.ts';

/** Actions, compiled with the masks that they were compiled with last. */
const COMPILED = new WeakMap<Action, { readonly masks: MaskSettings; readonly compiled: CompiledAction }>();

/** An action, compiled once for all rules and plans that have it under the same masks. */
export function compiledAction(action: Action, masks: MaskSettings): CompiledAction {
  const known = COMPILED.get(action);
  if (known && areSameMasks(known.masks, masks)) return known.compiled;
  const compiled = action.compile(masks);
  COMPILED.set(action, { masks, compiled });
  return compiled;
}

export function areSameMasks(a: MaskSettings, b: MaskSettings): boolean {
  return a.maskString === b.maskString && a.maskShort === b.maskShort;
}

/** The actions of rules, each once as far as neighbours have the same. */
export function compiledActions(rules: Rules['properties'], masks: MaskSettings): readonly CompiledAction[] {
  const actions: CompiledAction[] = [];
  let latest: PropertyRule['action'] | undefined;
  for (const { action } of rules) {
    if (action !== latest) actions.push(compiledAction(action, masks));
    latest = action;
  }
  return actions;
}

/** Whether any of the rules sets the value of an absent property. */
export function anyCreates(targets: readonly Target[], masks: MaskSettings): boolean {
  return targets.some(
    ({ rule, occasion }) =>
      occasion !== 'present' && compiledAction(rule.action, masks).created !== undefined,
  );
}
