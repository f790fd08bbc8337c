import _ from 'lodash';
import { UNREADABLE, type AttributeValue } from '../paths/attribute.ts';
import type { RecordAttribute } from './record-attribute.ts';
import type { Need, RecordCondition } from './record-condition.ts';
import type { RecordView } from './record.ts';

/** So few items are tried one by one. */
const FEW = 4;

/** The places of items among all, by a value that they need an attribute to have. */
interface ByValue {
  readonly need: Need;
  readonly places: Map<string, number[]>;
  /** The places by the values of the payload, which all records read. */
  readonly inPayload: WeakMap<readonly AttributeValue[], ReadonlySet<number>>;
}

/**
 * Finds those of many items whose conditions may hold for a record, by the values that the record has, instead of asking
 * each: so that a record costs what applies to it, and not what is in the decision.
 */
export class ConditionIndex<T> {
  private readonly items: readonly T[];
  /** Those without a condition. */
  private readonly always: readonly number[] = [];
  private readonly byValue: readonly ByValue[] = [];
  /** Conditions that need no value, each with the places of its items. */
  private readonly asked: ReadonlyMap<RecordCondition, readonly number[]> = new Map();
  private readonly isSmall: boolean;
  private latest: { readonly record: RecordView; readonly found: readonly T[] } | undefined;

  /** @param conditionsOf any of which may hold; undefined if the item has none */
  constructor(items: readonly T[], conditionsOf: (item: T) => readonly RecordCondition[] | undefined) {
    this.items = items;
    this.isSmall = items.length <= FEW;
    if (this.isSmall) return;
    const conditions = items.map(conditionsOf);
    this.always = [...conditions.keys()].filter((place) => conditions[place] === undefined);
    const all = conditions.flatMap((some = [], place) => some.map((condition) => ({ condition, place })));
    const [needing, others] = _.partition(all, ({ condition }) => condition.needs.length > 0);
    this.byValue = indexed(needing);
    this.asked = grouped(others);
  }

  /** The items whose conditions may hold, in order. */
  for(record: RecordView): readonly T[] {
    if (this.isSmall) return this.items;
    if (this.latest?.record !== record) this.latest = { record, found: this.find(record) };
    return this.latest.found;
  }

  private find(record: RecordView): readonly T[] {
    const places = new Set(this.always);
    for (const list of this.byValue) {
      const { ofPayload, own } = list.need.attribute.partsIn(record);
      if (ofPayload) for (const place of placesInPayload(record, ofPayload, list)) places.add(place);
      addPlaces(record, own, list, places);
    }
    for (const [condition, of] of this.asked)
      if (condition.holds(record)) for (const place of of) places.add(place);
    if (places.size === this.items.length) return this.items;
    return [...places].toSorted((a, b) => a - b).map((place) => this.items[place]!);
  }
}

const NO_PLACES: readonly number[] = [];

interface Placed {
  readonly condition: RecordCondition;
  readonly place: number;
}

function grouped(placed: readonly Placed[]): ReadonlyMap<RecordCondition, readonly number[]> {
  const groups = new Map<RecordCondition, number[]>();
  for (const { condition, place } of placed) {
    const group = groups.get(condition);
    if (group) group.push(place);
    else groups.set(condition, [place]);
  }
  return groups;
}

function indexed(placed: readonly Placed[]): readonly ByValue[] {
  const counts = new NeedCounts(placed);
  const lists = new Map<RecordAttribute, ByValue[]>();
  for (const { condition, place } of placed) {
    // Of several needs, the one that the fewest share is the most selective.
    const rarest = _.minBy(condition.needs, (needs) => _.sumBy(needs, (need) => counts.of(need))) ?? [];
    for (const need of rarest) {
      const list = listFor(lists, need);
      for (const key of need.equality.keys) {
        const places = list.places.get(key);
        if (places) places.push(place);
        else list.places.set(key, [place]);
      }
    }
  }
  return [...lists.values()].flat();
}

function listFor(lists: Map<RecordAttribute, ByValue[]>, need: Need): ByValue {
  const ofAttribute = lists.get(need.attribute) ?? [];
  const known = ofAttribute.find((list) => list.need.type === need.type);
  if (known) return known;
  const added = { need, places: new Map<string, number[]>(), inPayload: new WeakMap() };
  lists.set(need.attribute, [...ofAttribute, added]);
  return added;
}

/** How many items need each value of an attribute. */
class NeedCounts {
  private readonly counts = new Map<RecordAttribute, Map<string, number>>();

  constructor(placed: readonly Placed[]) {
    for (const { condition } of placed) for (const need of condition.needs.flat()) this.add(need);
  }

  /** How many share a need at most. */
  of({ attribute, equality }: Need): number {
    const counts = this.counts.get(attribute);
    let most = 0;
    for (const key of equality.keys) most = Math.max(most, counts?.get(key) ?? 0);
    return most;
  }

  private add({ attribute, equality }: Need): void {
    const counts = this.counts.get(attribute) ?? new Map<string, number>();
    this.counts.set(attribute, counts);
    for (const key of equality.keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

function placesInPayload(
  record: RecordView,
  values: readonly AttributeValue[],
  list: ByValue,
): ReadonlySet<number> {
  const known = list.inPayload.get(values);
  if (known) return known;
  const places = new Set<number>();
  addPlaces(record, values, list, places);
  list.inPayload.set(values, places);
  return places;
}

function addPlaces(
  record: RecordView,
  values: readonly AttributeValue[],
  { need, places: known }: ByValue,
  places: Set<number>,
): void {
  for (const key of keysIn(record, values, need))
    for (const place of known.get(key) ?? NO_PLACES) places.add(place);
}

/** The keys of the values that an attribute has in a record. */
function keysIn(
  { subject }: RecordView,
  values: readonly AttributeValue[],
  { equality }: Need,
): readonly string[] {
  const keys: string[] = [];
  for (const value of values) {
    if (value === UNREADABLE) continue;
    const key = equality.keyOf(value);
    if (key === undefined) subject.onUnreadable();
    else keys.push(key);
  }
  return keys;
}
