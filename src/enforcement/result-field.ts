import type { Counts } from './report.ts';

/** An application cannot say it: a field of this name is dropped from its answers on enforced routes. */
export const RESULT_FIELD = 'Enforcement-Result';

/**
 * The header field that says how much of a payload was changed, for answers of every place if `report` is configured: a
 * dictionary of RFC 9651 that holds counts alone.
 *
 * @returns its name and value
 */
export function resultField(counts: Counts): readonly [name: string, value: string] {
  const { masked, set, created, removed, removedProperties, records } = counts;
  const members = { masked, set: set + created, removed: removed + removedProperties, records };
  const value = Object.entries(members).map(([name, count]) => `${name}=${count}`);
  return [RESULT_FIELD, value.join(', ')];
}
