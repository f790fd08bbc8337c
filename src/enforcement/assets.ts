import { ServiceError } from '../errors.ts';
import type { Located } from '../core/json/located.ts';
import { UNREADABLE, type Attribute } from '../core/paths/attribute.ts';
import { recordsAt } from '../core/records.ts';
import type { Roots } from './roots.ts';

/**
 * The asset identifiers of the records, each once, in the order of the payload (enforcement §4).
 *
 * @param assetId where a record's identifier stands
 * @throws ServiceError `asset-id-not-found` where there are records and none has one
 */
export function findAssetIds(doc: Located, roots: Roots, assetId: readonly Attribute[]): readonly string[] {
  const ids = new Set<string>();
  let hasRecords = false;
  for (const root of roots.nodes) {
    for (const record of recordsAt(doc, root)) {
      hasRecords = true;
      for (const attribute of assetId) {
        for (const value of attribute.valuesIn(doc, record)) if (value !== UNREADABLE) ids.add(value);
      }
    }
  }
  if (hasRecords && ids.size === 0) throw notFound();
  return [...ids];
}

function notFound(): ServiceError {
  return new ServiceError('asset-id-not-found', 'No record of the payload has an asset identifier.', {
    errors: [
      { pointer: '/parameters/assetId', detail: 'It points at no string, number or boolean in any record.' },
    ],
  });
}
