import { EqualityIndex } from '../conditions/equality.ts';
import { Kind, kindOf } from '../json/document.ts';
import { NOWHERE, type FoundValue } from '../paths/attribute.ts';
import type { RecordView } from './record.ts';

const NOTHING: readonly never[] = [];
/** So few values are looked up one by one. */
const FEW = 16;

/** Finds those of many items that are about the asset that a record is, without decoding its identifier. */
export class AssetIndex<T> {
  private readonly groups = new EqualityIndex<T[]>('STRING');
  private readonly ids: string[] = [];
  /** The items by the values of the payload, which all records read. */
  private readonly inPayload = new WeakMap<readonly FoundValue[], ReadonlySet<T>>();

  /** @param isLast whether items behind this one, about the same asset, are left out; all are kept unless given */
  constructor(
    items: readonly T[],
    idsOf: (item: T) => Iterable<string>,
    isLast: (item: T) => boolean = () => false,
  ) {
    for (const item of items) {
      for (const id of idsOf(item)) {
        const group = this.groups.ofKey(id);
        if (group) {
          if (!isLast(group.at(-1)!)) group.push(item);
        } else {
          this.groups.set(id, [item]);
          this.ids.push(id);
        }
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
    for (const group of this.groupsOf(record, own)) for (const item of group) items.push(item);
    return items;
  }

  private itemsInPayload(record: RecordView, values: readonly FoundValue[]): ReadonlySet<T> {
    const known = this.inPayload.get(values);
    if (known) return known;
    const items = new Set<T>();
    for (const group of this.groupsOf(record, values)) for (const item of group) items.add(item);
    this.inPayload.set(values, items);
    return items;
  }

  private *groupsOf(record: RecordView, values: readonly FoundValue[]): Generator<readonly T[]> {
    const { subject } = record;
    const named = values.length > FEW ? subject.assets?.among(subject, values) : undefined;
    if (named === undefined) for (const value of values) yield this.groupOf(record, value) ?? NOTHING;
    else if (named.size < this.ids.length) for (const id of named) yield this.groups.ofKey(id) ?? NOTHING;
    else for (const id of this.ids) if (named.has(id)) yield this.groups.ofKey(id) ?? NOTHING;
  }

  private groupOf({ subject }: RecordView, value: FoundValue): readonly T[] | undefined {
    return this.groups.at(subject.doc, value, subject.onUnreadable);
  }
}
