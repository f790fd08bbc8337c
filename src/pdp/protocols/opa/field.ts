import type { Path } from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import type { Place } from '../resolution/error.ts';
import { readPath } from '../resolution/path.ts';

/**
 * The path of a field, `table.column`. The table is dropped if it is the asset type. Names are names: nothing in them is a
 * wildcard.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function fieldPath(field: string, { assetType }: DecisionSettings, place: Place): Path {
  const column = field.startsWith(`${assetType}.`) ? field.slice(assetType.length + 1) : field;
  return readPath(column.replaceAll(/[\\*?#$]/gu, String.raw`\$&`), place);
}
