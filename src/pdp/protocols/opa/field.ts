import type { Path } from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import { type JsonPointer, notUnderstood, readPath } from '../../decisions/index.ts';

/**
 * The path of a field, `table.column`. The table is dropped if it is the asset type. Names are names: nothing in them is a
 * wildcard.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function fieldPath(field: string, { assetType }: DecisionSettings, place: JsonPointer): Path {
  const table = field.slice(0, assetType.length + 1);
  if (table !== `${assetType}.` && table.toLowerCase() === `${assetType}.`.toLowerCase())
    throw notUnderstood('a table that differs from the asset type only in the case of its letters', place);
  const column = field.startsWith(`${assetType}.`) ? field.slice(assetType.length + 1) : field;
  return readPath(column.replaceAll(/[\\*?#$]/gu, String.raw`\$&`), place);
}
