import type { Path } from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import { notUnderstood, type Place, readPath } from '../../decisions/index.ts';

/**
 * The path of a field, `table.column`. The table is dropped if it is the asset type or, in context mode, the type of the protected
 * object, which is then that of the question's resource. Names are names: nothing in them is a wildcard.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function fieldPath(
  field: string,
  { assetType, protectedObject = assetType }: DecisionSettings,
  place: Place,
): Path {
  const tables = [`${assetType}.`, `${protectedObject}.`];
  const own = tables.find((table) => field.startsWith(table)) ?? '';
  if (own === '' && tables.some((table) => field.toLowerCase().startsWith(table.toLowerCase())))
    throw notUnderstood('a table that differs from the asset type only in the case of its letters', place);
  return readPath(field.slice(own.length).replaceAll(/[\\*?#$]/gu, String.raw`\$&`), place);
}
