import {
  Kind,
  NOWHERE,
  RecordViews,
  ScalarTexts,
  kindOf,
  recordsAt,
  type FoundValue,
  type RecordAttribute,
  type Subject,
} from '../core/index.ts';
import { ServiceError } from '../errors.ts';
import type { Assets } from './question.ts';

/** Assets whose identifiers are values of a document. */
export class FoundAssets implements Assets {
  readonly type: string;
  readonly #ids: ScalarTexts;
  #texts: readonly string[] | undefined;

  constructor(type: string, ids: ScalarTexts) {
    this.type = type;
    this.#ids = ids;
  }

  get ids(): readonly string[] {
    return (this.#texts ??= this.#ids.all());
  }

  idsAsJson(before: string, after: string): Buffer {
    return this.#ids.asJson(before, after);
  }
}

/**
 * The asset identifiers of the records, each once, in the order of the payload (docs/enforcement.md#context).
 *
 * @throws ServiceError `asset-id-not-found` if there are records and none has an identifier
 */
export function findAssetIds(subject: Subject, assetId: RecordAttribute): ScalarTexts {
  const { doc, roots } = subject;
  const ids = new ScalarTexts(doc);
  let hasRecords = false;
  /** What all records read of the payload. */
  let known: readonly FoundValue[] | undefined;
  const views = new RecordViews(subject, assetId, false);
  for (let root = 0; root < roots.length; root++) {
    for (const node of recordsAt(doc, roots.nodeOf(root))) {
      hasRecords = true;
      const record = views.of(node, root);
      const end = assetId.endIn(record);
      if (end === NOWHERE) continue;
      if (end !== undefined && kindOf(doc, end) !== Kind.array) {
        ids.add(end);
        continue;
      }
      const { ofPayload, own } = assetId.partsIn(record);
      if (ofPayload && ofPayload !== known) addAll(ids, ofPayload);
      known = ofPayload;
      addAll(ids, own);
    }
  }
  if (hasRecords && ids.length === 0) throw notFound();
  return ids;
}

function addAll(ids: ScalarTexts, values: readonly FoundValue[]): void {
  for (const value of values) {
    if (typeof value === 'string') ids.addDigits(value);
    else ids.add(value);
  }
}

function notFound(): ServiceError {
  return new ServiceError('asset-id-not-found', 'No record of the payload has an asset identifier.', {
    errors: [
      { pointer: '/parameters/assetId', detail: 'It points at no string, number or boolean in any record.' },
    ],
  });
}
