import _ from 'lodash';
import { EqualityIndex } from '../conditions/equality.ts';
import type { ValueType } from '../conditions/value-type.ts';
import { Kind, kindOf } from '../json/document.ts';
import { NOWHERE, type FoundValue } from '../paths/attribute.ts';
import type { RecordAttribute } from './record-attribute.ts';
import { ByClass } from './by-class.ts';
import { NO_CLASS } from './record-class.ts';
import type { Need, RecordCondition } from './record-condition.ts';
import type { RecordView } from './record.ts';

/** So few items are tried one by one. */
const FEW = 4;
/** Of more items than this, those that apply to a record are known for all records of its class. */
const MANY = 16;

/** Items that are found together: their places among all, and themselves once that was asked for. */
interface Group<T> {
  readonly places: number[];
  items: readonly T[] | undefined;
  /** The search that met it last, by its number. */
  search: number;
}

/** Items by a value that they need an attribute to have. */
interface ByValue<T> {
  readonly attribute: RecordAttribute;
  readonly type: ValueType;
  readonly groups: EqualityIndex<Group<T>>;
  /** The groups by the values of the payload, which all records read. */
  readonly inPayload: WeakMap<readonly FoundValue[], ReadonlySet<Group<T>>>;
}

/**
 * Finds those of many items whose conditions may hold for a record, by the values that the record has, instead of asking
 * each: so that a record costs what applies to it, and not what is in the decision.
 */
export class ConditionIndex<T> {
  private readonly items: readonly T[];
  /** Those without a condition. */
  private readonly always: Group<T> = groupOf([]);
  private readonly byValue: readonly ByValue<T>[] = [];
  /** Conditions that need no value, each with its items. */
  private readonly asked: readonly (readonly [RecordCondition, Group<T>])[] = [];
  private readonly isSmall: boolean;
  private readonly conditionsOf: (item: T) => readonly RecordCondition[] | undefined;
  private readonly byClass: ByClass<readonly T[]> | undefined;
  /** The record that was asked for last; plans outlive payloads, so it is not referred to. */
  private subject = -1;
  private node = -1;
  private latest: readonly T[] = [];
  /** What the search for that record met, each group once. */
  private readonly met: Group<T>[] = [];
  private search = 0;

  /** @param conditionsOf any of which may hold; undefined if the item has none */
  constructor(items: readonly T[], conditionsOf: (item: T) => readonly RecordCondition[] | undefined) {
    this.items = items;
    this.conditionsOf = conditionsOf;
    this.isSmall = items.length <= FEW;
    if (this.isSmall) return;
    if (items.length > MANY) this.byClass = new ByClass((record) => this.itemsHolding(record));
    const conditions = items.map(conditionsOf);
    this.always = groupOf([...conditions.keys()].filter((place) => conditions[place] === undefined));
    const all = conditions.flatMap((some = [], place) => some.map((condition) => ({ condition, place })));
    const [needing, others] = _.partition(all, ({ condition }) => condition.needs.length > 0);
    this.byValue = indexed(needing);
    this.asked = grouped(others);
  }

  /** The items whose conditions may hold, in order. */
  for(record: RecordView): readonly T[] {
    if (this.isSmall) return this.items;
    const { node, subject } = record;
    if (node !== this.node || subject.serial !== this.subject) {
      this.latest = this.byClass ? this.itemsLike(record, this.byClass) : this.itemsFor(record);
      this.node = node;
      this.subject = subject.serial;
    }
    return this.latest;
  }

  private itemsLike(record: RecordView, byClass: ByClass<readonly T[]>): readonly T[] {
    return record.like === NO_CLASS ? this.itemsFor(record) : byClass.of(record);
  }

  private itemsHolding(record: RecordView): readonly T[] {
    return this.itemsFor(record).filter((item) => this.mayHold(item, record));
  }

  private mayHold(item: T, record: RecordView): boolean {
    return this.conditionsOf(item)?.some((condition) => condition.holds(record)) ?? true;
  }

  private itemsFor(record: RecordView): readonly T[] {
    this.find(record);
    return this.itemsMet();
  }

  private find(record: RecordView): void {
    this.search++;
    this.met.length = 0;
    if (this.always.places.length > 0) this.met.push(this.always);
    for (const list of this.byValue) {
      const end = list.attribute.endIn(record);
      if (end === NOWHERE) continue;
      if (end !== undefined && kindOf(record.subject.doc, end) <= Kind.null)
        this.meet(groupOfValue(record, end, list));
      else this.findAmong(record, list);
    }
    for (const [condition, group] of this.asked) if (condition.holds(record)) this.meet(group);
  }

  private findAmong(record: RecordView, list: ByValue<T>): void {
    const { ofPayload, own } = list.attribute.partsIn(record);
    if (ofPayload) for (const group of groupsInPayload(record, ofPayload, list)) this.meet(group);
    for (const value of own) this.meet(groupOfValue(record, value, list));
  }

  private meet(group: Group<T> | undefined): void {
    if (group === undefined || group.search === this.search) return;
    group.search = this.search;
    this.met.push(group);
  }

  private itemsMet(): readonly T[] {
    const [only] = this.met;
    if (only === undefined) return NO_ITEMS;
    if (this.met.length === 1) return (only.items ??= this.itemsAt(only.places));
    return this.itemsAt(this.met.flatMap((group) => group.places));
  }

  private itemsAt(places: readonly number[]): readonly T[] {
    return _.sortedUniq(places.toSorted((a, b) => a - b)).map((place) => this.items[place]!);
  }
}

const NO_ITEMS: readonly never[] = [];

function groupOf<T>(places: number[]): Group<T> {
  return { places, items: undefined, search: 0 };
}

interface Placed {
  readonly condition: RecordCondition;
  readonly place: number;
}

function grouped<T>(placed: readonly Placed[]): readonly (readonly [RecordCondition, Group<T>])[] {
  const groups = new Map<RecordCondition, Group<T>>();
  for (const { condition, place } of placed) {
    const group = groups.get(condition);
    if (group) group.places.push(place);
    else groups.set(condition, groupOf([place]));
  }
  return [...groups];
}

function indexed<T>(placed: readonly Placed[]): readonly ByValue<T>[] {
  const counts = new NeedCounts(placed);
  const lists = new Map<RecordAttribute, ByValue<T>[]>();
  for (const { condition, place } of placed) {
    // Of several needs, the one that the fewest share is the most selective.
    const rarest = _.minBy(condition.needs, (needs) => _.sumBy(needs, (need) => counts.of(need))) ?? [];
    for (const need of rarest) {
      const { groups } = listFor(lists, need);
      for (const key of need.keys) {
        const group = groups.ofKey(key);
        if (group) group.places.push(place);
        else groups.set(key, groupOf([place]));
      }
    }
  }
  return [...lists.values()].flat();
}

function listFor<T>(lists: Map<RecordAttribute, ByValue<T>[]>, { attribute, type }: Need): ByValue<T> {
  const ofAttribute = lists.get(attribute) ?? [];
  const known = ofAttribute.find((list) => list.type === type);
  if (known) return known;
  const added: ByValue<T> = {
    attribute,
    type,
    groups: new EqualityIndex(type),
    inPayload: new WeakMap(),
  };
  lists.set(attribute, [...ofAttribute, added]);
  return added;
}

/** How many items need each value of an attribute. */
class NeedCounts {
  private readonly counts = new Map<RecordAttribute, Map<string, number>>();

  constructor(placed: readonly Placed[]) {
    for (const { condition } of placed) for (const need of condition.needs.flat()) this.add(need);
  }

  /** How many share a need at most. */
  of({ attribute, keys }: Need): number {
    const counts = this.counts.get(attribute);
    let most = 0;
    for (const key of keys) most = Math.max(most, counts?.get(key) ?? 0);
    return most;
  }

  private add({ attribute, keys }: Need): void {
    const counts = this.counts.get(attribute) ?? new Map<string, number>();
    this.counts.set(attribute, counts);
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

function groupsInPayload<T>(
  record: RecordView,
  values: readonly FoundValue[],
  list: ByValue<T>,
): ReadonlySet<Group<T>> {
  const known = list.inPayload.get(values);
  if (known) return known;
  const found = new Set<Group<T>>();
  for (const value of values) {
    const group = groupOfValue(record, value, list);
    if (group) found.add(group);
  }
  list.inPayload.set(values, found);
  return found;
}

function groupOfValue<T>(
  { subject }: RecordView,
  value: FoundValue,
  { groups }: ByValue<T>,
): Group<T> | undefined {
  return groups.at(subject.doc, value, subject.onUnreadable);
}
