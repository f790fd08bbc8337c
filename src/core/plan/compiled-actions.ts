import type { Action, MaskSettings } from '../actions/action.ts';
import type { CompiledAction } from '../actions/mask-result.ts';

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
