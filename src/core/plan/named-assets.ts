import { EqualityIndex } from '../conditions/equality.ts';
import type { FoundValue } from '../paths/attribute.ts';
import type { Rules } from '../rule.ts';
import type { Subject } from './record.ts';

/** Finds out which of the identifiers that the rules of a plan name a record has: once, and not for each property of it. */
export class NamedAssets {
  private readonly rules: Rules;
  private index: EqualityIndex<string> | undefined;
  private readonly known = new WeakMap<readonly FoundValue[], ReadonlySet<string>>();

  constructor(rules: Rules) {
    this.rules = rules;
  }

  /** @param values that stay as they are */
  among({ doc, onUnreadable }: Subject, values: readonly FoundValue[]): ReadonlySet<string> {
    const known = this.known.get(values);
    if (known) return known;
    this.index ??= indexOf(this.rules);
    const ids = new Set<string>();
    for (const value of values) {
      const id = this.index.at(doc, value, onUnreadable);
      if (id !== undefined) ids.add(id);
    }
    this.known.set(values, ids);
    return ids;
  }
}

function indexOf({ properties, filters }: Rules): EqualityIndex<string> {
  const index = new EqualityIndex<string>('STRING');
  for (const { assetIds } of [...properties, ...filters])
    for (const id of assetIds ?? []) if (index.ofKey(id) === undefined) index.set(id, id);
  return index;
}
