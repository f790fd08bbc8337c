import { RecordView, UNREADABLE, recordsAt, type RecordAttribute, type Subject } from '../core/index.ts';
import { ServiceError } from '../errors.ts';

/**
 * The asset identifiers of the records, each once, in the order of the payload (docs/enforcement.md#context).
 *
 * @throws ServiceError `asset-id-not-found` if there are records and none has an identifier
 */
export function findAssetIds(subject: Subject, assetId: RecordAttribute): readonly string[] {
  const ids = new Set<string>();
  let hasRecords = false;
  for (let root = 0; root < subject.roots.length; root++) {
    for (const node of recordsAt(subject.doc, subject.roots.nodeOf(root))) {
      hasRecords = true;
      const values = assetId.valuesIn(new RecordView(subject, node, root, undefined));
      for (const value of values) if (value !== UNREADABLE) ids.add(value);
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
