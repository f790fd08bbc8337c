import type { Path } from '../paths/path.ts';
import type { PropertyRule } from '../rule.ts';
import type { CombinedNames } from './combined-names.ts';
import type { PathList } from './path-list.ts';
import { TargetsByPath, type PathPlaces, type Target, type TargetsAt } from './targets.ts';

/** If more rules differ, all are sorted anew. */
const MAX_CHANGED = 16;

/** Rules that were sorted by their paths. */
export interface SortedRules {
  readonly rules: readonly PropertyRule[];
  readonly at: TargetsAt;
}

/**
 * What rules ask that differ in few from others with the same paths.
 *
 * @param combined counts names and prefixes if any rule creates missing values; undefined if none does
 * @returns undefined unless those that differ are about the same paths, in the same order, and combine no names with prefixes: what all
 * rules combine has to be counted then
 */
export function patchedTargets(
  before: SortedRules,
  rules: readonly PropertyRule[],
  list: PathList,
  combined: CombinedNames | undefined,
): TargetsAt | undefined {
  const changed = changedRanks(before.rules, rules);
  if (changed === undefined) return undefined;
  const at = before.at.slice();
  for (const rank of changed) {
    const [old, rule] = [before.rules[rank], rules[rank]];
    if (old === undefined || rule === undefined) return undefined;
    const [was, is] = [targetsOf(old, rank, list, combined), targetsOf(rule, rank, list, combined)];
    if (!was || !is || was.places.join(' ') !== is.places.join(' ')) return undefined;
    for (const place of new Set(is.places)) at[place] = replaced(at[place] ?? [], rank, is.at[place] ?? []);
  }
  return combined?.isEmpty === false ? undefined : at;
}

/** Where rules differ; undefined if that is in too many places. */
function changedRanks(
  before: readonly PropertyRule[],
  rules: readonly PropertyRule[],
): readonly number[] | undefined {
  if (before.length !== rules.length) return undefined;
  const changed: number[] = [];
  for (let rank = 0; rank < rules.length; rank++) {
    if (before[rank] === rules[rank]) continue;
    if (changed.push(rank) > MAX_CHANGED) return undefined;
  }
  return changed;
}

/** What one rule asks, and the places of its paths; undefined if it is about others, or about any property. */
function targetsOf(rule: PropertyRule, rank: number, list: PathList, combined: CombinedNames | undefined) {
  const places = new PlacesMet(list);
  const targets = new TargetsByPath(places, combined);
  const isComplete = targets.add([rule], rank) && targets.open.length === 0;
  return isComplete ? { at: targets.at, places: places.met } : undefined;
}

/** At one place, rules are in order. */
function replaced(all: readonly Target[], rank: number, own: readonly Target[]): readonly Target[] {
  const first = all.findIndex((target) => target.rank >= rank);
  const others = all.filter((target) => target.rank !== rank);
  return others.toSpliced(first < 0 ? others.length : first, 0, ...own);
}

/** Finds paths among those of a plan, and notes which were asked for. */
class PlacesMet implements PathPlaces {
  readonly met: number[] = [];
  private readonly list: PathList;

  constructor(list: PathList) {
    this.list = list;
  }

  placeOf(path: Path): number | undefined {
    return this.note(this.list.find(path));
  }

  placeOfAnything(): number | undefined {
    return this.note(this.list.findAnything());
  }

  private note(place: number | undefined): number | undefined {
    if (place !== undefined) this.met.push(place);
    return place;
  }
}
