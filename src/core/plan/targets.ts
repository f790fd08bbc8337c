import { ALWAYS, isAlways, type Condition } from '../conditions/condition.ts';
import { pathKey, type Path } from '../paths/path.ts';
import type { PropertyRule, Rules } from '../rule.ts';
import {
  alternativesOf,
  isConjunction,
  mentionsNames,
  nameBelowOf,
  nameOf,
  namesCombined,
  namesToCreate,
} from './alternatives.ts';
import type { CombinedNames } from './combined-names.ts';
import type { PathList } from './path-list.ts';

/** A rule as it is tried on some properties. */
export interface Target {
  readonly rule: PropertyRule;
  /** The place of the rule in the order in which rules are tried. */
  readonly rank: number;
  /** What is left of its condition for these properties. */
  readonly condition: Condition;
  /** Whether only leaves are meant. */
  readonly leavesOnly: boolean;
  readonly occasion: Occasion;
}

/**
 * Of which properties a rule is tried at paths: of all, of those that are there, or of those that are absent. An open rule is about
 * any property, and names these only to have them created.
 */
type Occasion = 'any' | 'present' | 'absent' | 'open';

/** Whether a target is tried where a property is. */
export function isTriedOn({ occasion, leavesOnly }: Target, isLeaf: boolean): boolean {
  return (occasion === 'any' || occasion === 'present') && (isLeaf || !leavesOnly);
}

/** Whether it is tried where a property is absent, without a look at what leads there. */
export function isTriedOnAbsent({ occasion, leavesOnly }: Target): boolean {
  return (occasion === 'any' || occasion === 'absent') && !leavesOnly;
}

/** What is tried at paths, by their places. */
export type TargetsAt = readonly (readonly Target[])[];

/** Finds the place of a path among those of a plan. */
export interface PathPlaces {
  /** @returns undefined if it has none */
  placeOf(path: Path): number | undefined;
  /** That of anything in a record. */
  placeOfAnything(): number | undefined;
}

/** Adds paths to those of a new plan. */
export class NewPlaces implements PathPlaces {
  private readonly list: PathList;

  constructor(list: PathList) {
    this.list = list;
  }

  placeOf(path: Path): number {
    return this.list.add(path);
  }

  placeOfAnything(): number {
    return this.list.addAnything();
  }
}

/** Finds paths among those of a known plan, as long as all come in the same order. */
class KnownPlaces implements PathPlaces {
  private readonly list: PathList;
  private count = 0;

  constructor(list: PathList) {
    this.list = list;
  }

  placeOf(path: Path): number | undefined {
    return this.met(this.list.find(path));
  }

  placeOfAnything(): number | undefined {
    return this.met(this.list.findAnything());
  }

  /** Whether no path is left. */
  get isComplete(): boolean {
    return this.count === this.list.all.length;
  }

  private met(place: number | undefined): number | undefined {
    if (place === this.count) this.count++;
    return place !== undefined && place < this.count ? place : undefined;
  }
}

/** Sorts what rules ask by the paths that they are about. */
export class TargetsByPath {
  readonly at: Target[][] = [];
  /** The rules whose conditions are decided anew for each property: they may be about any. */
  readonly open: Target[] = [];
  private readonly places: PathPlaces;
  private readonly combined: CombinedNames | undefined;
  private isComplete = true;

  /** @param combined counts the names that are combined with prefixes if any rule creates missing values; undefined if none does */
  constructor(places: PathPlaces, combined: CombinedNames | undefined) {
    this.places = places;
    this.combined = combined;
  }

  /**
   * @param first the place of the first rule in the order in which rules are tried
   * @returns whether all paths have places
   */
  add(rules: readonly PropertyRule[], first = 0): boolean {
    for (let at = 0; at < rules.length && this.isComplete; at++) {
      const rule = rules[at];
      if (rule) this.addRule(rule, first + at);
    }
    return this.isComplete;
  }

  private addRule(rule: PropertyRule, rank: number): void {
    const { about } = rule;
    if ('properties' in about)
      this.addAll(about.properties, { rule, rank, condition: ALWAYS, leavesOnly: false, occasion: 'any' });
    else if (isConjunction(about.condition)) this.addAlternative(about.condition, rule, rank);
    else for (const condition of alternativesOf(about.condition)) this.addAlternative(condition, rule, rank);
  }

  private addAlternative(condition: Condition, rule: PropertyRule, rank: number): void {
    const named = nameOf(condition) ?? nameBelowOf(condition);
    if (named) {
      const left = isAlways(named.condition) ? ALWAYS : named.condition;
      const target = { rule, rank, condition: left, leavesOnly: false };
      if (named.below) this.combined?.count(rule, named.below);
      const absent = this.combined && named.below?.absent;
      this.addAll(named.paths, { ...target, occasion: absent ? 'present' : 'any' });
      if (absent) this.addAll(absent, { ...target, occasion: 'absent' });
    } else if (mentionsNames(condition)) {
      const target: Target = { rule, rank, condition, leavesOnly: false, occasion: 'open' };
      this.open.push(target);
      if (this.combined === undefined) return;
      const below = namesToCreate(condition);
      this.combined.count(rule, below);
      this.addAll(namesCombined(below), target);
    } else
      this.put(this.places.placeOfAnything(), {
        rule,
        rank,
        condition,
        leavesOnly: true,
        occasion: 'any',
      });
  }

  private addAll(paths: readonly Path[], target: Target): void {
    for (const path of paths) this.put(this.places.placeOf(path), target);
  }

  private put(place: number | undefined, target: Target): void {
    if (place === undefined) {
      this.isComplete = false;
      return;
    }
    const known = this.at[place];
    if (known) known.push(target);
    else this.at[place] = [target];
  }
}

/** The same for most plans that have the same paths in the same order: their number, and the first and the last of them. */
export function outlineOf(rules: readonly PropertyRule[]): string {
  const first = rules[0];
  const last = rules.at(-1);
  return `${rules.length} ${first ? firstPath(first) : ''} ${last ? firstPath(last) : ''}`;
}

function firstPath({ about }: PropertyRule): string {
  if ('condition' in about) return about.condition.kind;
  const [path] = about.properties;
  return path ? pathKey(path) : '';
}

/** Whether the very same rules are tried in the same places of the order: what is left of one is then the same, too. */
export function areSameTargets(some: readonly Target[], others: readonly Target[]): boolean {
  if (some === others) return true;
  return (
    some.length === others.length &&
    some.every(({ rule, rank }, at) => rule === others[at]?.rule && rank === others[at]?.rank)
  );
}

/** What is tried at the paths of another plan; undefined unless those of the rules are the same. */
export function targetsAmong(
  rules: Rules['properties'],
  list: PathList,
  combined: CombinedNames | undefined,
): TargetsByPath | undefined {
  const places = new KnownPlaces(list);
  const targets = new TargetsByPath(places, combined);
  const isComplete = targets.add(rules) && places.isComplete && targets.open.length === 0;
  return isComplete ? targets : undefined;
}
