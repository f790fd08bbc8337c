import type { RecordView } from '../plan/record.ts';
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

  /** Those about the record's asset; if there are none, the first, which then does not hold. */
  about(record: RecordView): Iterable<NumberedFilter> {
    if (this.parts.length < 2) return this.parts;
    this.byAsset ??= groupedByAsset(this.parts);
    const found = new Set<NumberedFilter>();
    for (const id of record.assetIds) for (const part of this.byAsset.get(id) ?? []) found.add(part);
    return found.size > 0 ? found : this.parts.slice(0, 1);
  }
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
