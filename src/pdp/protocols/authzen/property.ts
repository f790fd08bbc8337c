import { parsePath, type MaskKeys, type PropertyRule } from '../../../core/index.ts';
import { notUnderstood, readAction } from '../../decisions/index.ts';
import type { MaskedProperty } from './section.ts';

/** What is done to a property that the PDP does not show; the configuration was checked for it. */
export function maskOf(
  { path, action: text }: MaskedProperty,
  keys: MaskKeys,
): Pick<PropertyRule, 'about' | 'action'> {
  const { action } = readAction({ action: text }, [], keys);
  if (action.kind === 'filter') throw notUnderstood('FILTER on a property', []);
  return { about: { properties: [parsePath(path)] }, action };
}
