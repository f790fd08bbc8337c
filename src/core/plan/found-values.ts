import { BoundedTextMap } from './bounded-maps.ts';

/** For how many sets of values it is known at a time what is in them, and what they are with others, so that no payload fills the memory. */
const MAX_KNOWN = 4096;

/** A rule with values. */
export interface ValueUse {
  /** The place of the rule in the order in which rules are tried. */
  readonly rank: number;
  /** The same for rules that apply under the same conditions to what their values fit; undefined if a rule may leave that to others. */
  readonly group: string | undefined;
}

/** The group of rules that apply whatever the record is. */
export const ALWAYS_APPLIES = '';

/** Values that were found to fit: the same one for the same values, as long as it is known. */
export interface FoundValues {
  /** Another one for each. */
  readonly number: number;
  /** By their places, in order. */
  readonly values: readonly number[];
}

/** Sets of values that fit paths. Of those that do so together for good, only the first of a group of rules counts. */
export class ValueSets {
  private readonly usesOf: readonly (readonly ValueUse[])[];
  private readonly known = new BoundedTextMap<FoundValues>(MAX_KNOWN);
  private readonly joined = new BoundedTextMap<FoundValues>(MAX_KNOWN);
  private count = 0;
  readonly none: FoundValues = { number: this.count++, values: [] };

  /** @param usesOf the rules with each value; nothing for those that always count */
  constructor(usesOf: readonly (readonly ValueUse[])[]) {
    this.usesOf = usesOf;
  }

  /** How much those that are known take, in bytes, roughly. */
  get weight(): number {
    return this.known.weight + this.joined.weight;
  }

  /** @param places of the values; the same one may be there several times */
  of(places: readonly number[]): FoundValues {
    return places.length === 0 ? this.none : this.ordered(sorted(places));
  }

  private ordered(values: readonly number[]): FoundValues {
    const key = values.join(' ');
    return this.known.get(key) ?? this.known.set(key, { number: this.count++, values });
  }

  /** Those of two sets that count beside each other. */
  together(some: FoundValues, others: FoundValues): FoundValues {
    if (others.values.length === 0 || some === others) return some;
    const key = `${some.number} ${others.number}`;
    return this.joined.get(key) ?? this.joined.set(key, this.join(some, others));
  }

  private join(some: FoundValues, others: FoundValues): FoundValues {
    return this.ordered(this.counting(sorted([...some.values, ...others.values])));
  }

  private counting(values: readonly number[]): readonly number[] {
    const first = new Map<string, number>();
    for (const value of values)
      for (const { group, rank } of this.usesOf[value] ?? [])
        if (group !== undefined) first.set(group, Math.min(first.get(group) ?? rank, rank));
    const always = first.get(ALWAYS_APPLIES) ?? Infinity;
    const counts = ({ group, rank }: ValueUse): boolean =>
      rank <= Math.min(always, group === undefined ? Infinity : (first.get(group) ?? Infinity));
    return first.size === 0 ? values : values.filter((value) => this.usesOf[value]?.some(counts));
  }
}

function sorted(places: readonly number[]): readonly number[] {
  return places.length === 1 ? places : [...new Set(places)].toSorted((a, b) => a - b);
}
