import {
  Kind,
  NOWHERE,
  RecordViews,
  ScalarTexts,
  after,
  endOfRecords,
  enterArrays,
  kindOf,
  type Attribute,
  type FoundValue,
  type Node,
  type RecordAttribute,
  type RecordView,
  type Subject,
  type TextFrame,
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

  /** How many there are. */
  get length(): number {
    return this.#ids.length;
  }

  get ids(): readonly string[] {
    return (this.#texts ??= this.#ids.all());
  }

  idsAsJson(frame: TextFrame): Buffer {
    return this.#ids.asJson(frame);
  }
}

/**
 * The asset identifiers of the records, each once, in the order of the payload (docs/enforcement.md#context).
 *
 * @throws ServiceError `asset-id-not-found` if there are records and none has an identifier
 */
export function findAssetIds(subject: Subject, assetId: RecordAttribute): ScalarTexts {
  const finder = new AssetIdFinder(subject, assetId);
  const { ids } = finder;
  for (let root = 0; root < subject.roots.length; root++) finder.readRoot(root);
  if (finder.hasRecords && ids.length === 0) throw notFound();
  return ids;
}

class AssetIdFinder {
  readonly ids: ScalarTexts;
  hasRecords = false;
  readonly #subject: Subject;
  readonly #assetId: RecordAttribute;
  readonly #views: RecordViews;
  /** What all records read of the payload. */
  #known: readonly FoundValue[] | undefined;

  constructor(subject: Subject, assetId: RecordAttribute) {
    this.ids = new ScalarTexts(subject.doc);
    this.#subject = subject;
    this.#assetId = assetId;
    this.#views = new RecordViews(subject, assetId, false);
  }

  readRoot(root: number): void {
    const { doc, roots } = this.#subject;
    const attributes = this.#assetId.attributesAt(root, this.#subject);
    const stop = endOfRecords(doc, roots.nodeOf(root));
    let node = enterArrays(doc, roots.nodeOf(root), stop);
    this.hasRecords ||= node < stop;
    for (; node < stop; node = enterArrays(doc, after(doc, node), stop)) {
      if (attributes === undefined) this.#read(this.#views.of(node, root));
      else if (kindOf(doc, node) === Kind.object)
        for (const attribute of attributes) this.#readIn(node, attribute);
    }
  }

  #readIn(record: Node, attribute: Attribute): void {
    const { doc } = this.#subject;
    const end = attribute.endIn(doc, record);
    if (end === NOWHERE) return;
    if (end === undefined) return this.#addAll(attribute.foundIn(doc, record));
    const stop = after(doc, end);
    for (let at = enterArrays(doc, end, stop); at < stop; at = enterArrays(doc, after(doc, at), stop))
      this.ids.add(at);
  }

  #read(record: RecordView): void {
    const { ofPayload, own } = this.#assetId.partsIn(record);
    if (ofPayload && ofPayload !== this.#known) this.#addAll(ofPayload);
    this.#known = ofPayload;
    this.#addAll(own);
  }

  #addAll(values: readonly FoundValue[]): void {
    for (const value of values) {
      if (typeof value === 'string') this.ids.addDigits(value);
      else this.ids.add(value);
    }
  }
}

function notFound(): ServiceError {
  return new ServiceError('asset-id-not-found', 'No record of the payload has an asset identifier.', {
    errors: [
      { pointer: '/parameters/assetId', detail: 'It points at no string, number or boolean in any record.' },
    ],
  });
}
