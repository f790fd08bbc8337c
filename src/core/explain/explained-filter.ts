import _ from 'lodash';
import type { FilterRule } from '../rule.ts';

/** A filter of the decision, with its number in the explanation. */
interface NumberedFilter {
  readonly rule: FilterRule;
  readonly id: number;
}

/** Finds those rules of a filter that are about a record. */
export class ExplainedFilter {
  private readonly parts: readonly NumberedFilter[];
  private byAsset: ReadonlyMap<string, readonly NumberedFilter[]> | undefined;

  constructor(parts: readonly NumberedFilter[]) {
    this.parts = parts;
  }

  /**
   * Those about the record's assets, in order; if there are none, the first, which then does not hold.
   *
   * @param assetIds what identifies the assets that the record is
   */
  about(assetIds: ReadonlySet<string>): Iterable<NumberedFilter> {
    if (this.parts.length < 2) return this.parts;
    this.byAsset ??= groupedByAsset(this.parts);
    const found = new Set<NumberedFilter>();
    for (const id of inBoth(assetIds, this.byAsset))
      for (const part of this.byAsset.get(id) ?? []) found.add(part);
    return found.size > 0 ? _.sortBy([...found], 'id') : this.parts.slice(0, 1);
  }
}

/** The keys that two collections share; those of the smaller one are looked up in the other. */
export function* inBoth(
  some: ReadonlySet<string>,
  others: ReadonlySet<string> | ReadonlyMap<string, unknown>,
): Generator<string> {
  const [fewer, more] = some.size < others.size ? [some, others] : [others, some];
  for (const key of fewer.keys()) if (more.has(key)) yield key;
}

/** @param firstId the number of the first filter */
export function explainedFilters(
  filters: readonly FilterRule[],
  firstId: number,
): readonly ExplainedFilter[] {
  let id = firstId;
  return filters.map((filter) => new ExplainedFilter(partsOf(filter).map((rule) => ({ rule, id: id++ }))));
}

/** The rules of the decision that a filter combines; itself if it is one of them. */
export function partsOf(filter: FilterRule): readonly FilterRule[] {
  return filter.merged ?? [filter];
}

function groupedByAsset(parts: readonly NumberedFilter[]): ReadonlyMap<string, readonly NumberedFilter[]> {
  const groups = new Map<string, NumberedFilter[]>();
  for (const part of parts) {
    for (const id of part.rule.assetIds ?? []) {
      const group = groups.get(id);
      if (group) group.push(part);
      else groups.set(id, [part]);
    }
  }
  return groups;
}
