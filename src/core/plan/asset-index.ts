import { EqualityIndex } from '../conditions/equality.ts';
import { Kind, kindOf } from '../json/document.ts';
import { NOWHERE, type FoundValue } from '../paths/attribute.ts';
import type { RecordView } from './record.ts';

const NOTHING: readonly never[] = [];

/** Finds those of many items that are about the asset that a record is, without decoding its identifier. */
export class AssetIndex<T> {
  private readonly groups = new EqualityIndex<T[]>('STRING');
  /** The items by the values of the payload, which all records read. */
  private readonly inPayload = new WeakMap<readonly FoundValue[], ReadonlySet<T>>();

  constructor(items: readonly T[], idsOf: (item: T) => Iterable<string>) {
    for (const item of items) {
      for (const id of idsOf(item)) {
        const group = this.groups.ofKey(id);
        if (group) group.push(item);
        else this.groups.set(id, [item]);
      }
    }
  }

  /** In order if the record is one asset; else an item may be there several times. */
  for(record: RecordView): readonly T[] {
    const { assetId } = record;
    const end = assetId?.endIn(record);
    if (assetId === undefined || end === NOWHERE) return NOTHING;
    const { doc } = record.subject;
    if (end !== undefined && kindOf(doc, end) <= Kind.null) return this.groupOf(record, end) ?? NOTHING;
    const { ofPayload, own } = assetId.partsIn(record);
    const items = ofPayload === undefined ? [] : [...this.itemsInPayload(record, ofPayload)];
    for (const value of own) items.push(...(this.groupOf(record, value) ?? NOTHING));
    return items;
  }

  private itemsInPayload(record: RecordView, values: readonly FoundValue[]): ReadonlySet<T> {
    const known = this.inPayload.get(values);
    if (known) return known;
    const items = new Set<T>();
    for (const value of values) for (const item of this.groupOf(record, value) ?? NOTHING) items.add(item);
    this.inPayload.set(values, items);
    return items;
  }

  private groupOf({ subject }: RecordView, value: FoundValue): readonly T[] | undefined {
    return this.groups.at(subject.doc, value, subject.onUnreadable);
  }
}
