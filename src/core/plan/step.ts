import _ from 'lodash';
import type { CompiledAction } from '../actions/mask-result.ts';
import type { Condition } from '../conditions/condition.ts';
import type { Piece } from '../json/piece.ts';
import type { DryRun, Policy } from '../rule.ts';
import { AssetIndex } from './asset-index.ts';
import { ConditionIndex } from './condition-index.ts';
import type { RecordCondition } from './record-condition.ts';
import type { RecordView } from './record.ts';

/** A rule as it is tried on one property: what is left of it when the property is known. */
export interface PlanStep {
  /** Another one for each step of a plan. */
  readonly number: number;
  /** The place in the order in which rules are tried. */
  readonly rank: number;
  readonly action: CompiledAction;
  /** What is left to be asked of the record; undefined if nothing is. */
  readonly condition: RecordCondition | undefined;
  /** The same condition before it was compiled. */
  readonly tree: Condition;
  readonly policies: readonly Policy[];
  /** The policies that are in dry run, if the rule changes nothing. */
  readonly dryRun: readonly (Policy & { dryRun: DryRun })[] | undefined;
  readonly assetIds: ReadonlySet<string> | undefined;
  /** Whether the rule is about each record, also if it names what holds the records. */
  readonly isPerRecord: boolean;
}

/** A step that makes the same of every scalar except null: its rule is the only one that is tried there. */
export interface FixedChange {
  readonly condition: RecordCondition | undefined;
  /** What a string becomes. */
  readonly texts: Piece;
  /** What a number or boolean becomes. */
  readonly others: Piece;
  /** Whether an empty string is set, and not masked. */
  readonly setsEmpty: boolean;
  readonly policies: readonly Policy[];
}

/** Steps for one property, in the order in which they are tried, found by the assets that some of them are about. */
export class StepList {
  readonly isEmpty: boolean;
  /** Whether any step may remove a value. */
  readonly removes: boolean;
  /** All steps, also those about assets, in order. */
  readonly all: readonly PlanStep[];
  /** The one step that is tried, if it is the same for all records; it may have a condition. */
  readonly only: PlanStep | undefined;
  /** What that step makes of scalars, if it is the same for all. */
  readonly fixed: FixedChange | undefined;
  /** Whether any step is in dry run. */
  readonly hasDryRuns: boolean;
  private others: StepList | undefined;
  private readonly general: readonly PlanStep[];
  /** The same by their conditions; made when a record is met. */
  private index: ConditionIndex<PlanStep> | undefined;
  /** Of those about an asset, none behind one that is applied whatever the record. */
  private readonly byAsset: AssetIndex<PlanStep> | undefined;
  /** All of them, for explanations. */
  private allByAsset: AssetIndex<PlanStep> | undefined;

  static readonly NONE = new StepList([]);

  static of(steps: readonly PlanStep[]): StepList {
    return steps.length === 0 ? StepList.NONE : new StepList(steps);
  }

  private constructor(steps: readonly PlanStep[]) {
    const ordered = inOrder(steps);
    const isGeneral = ordered.every(({ assetIds }) => assetIds === undefined);
    this.isEmpty = steps.length === 0;
    this.removes = steps.some(({ action }) => action.removes === true);
    this.all = ordered;
    this.hasDryRuns = steps.some(({ dryRun }) => dryRun !== undefined);
    this.general = isGeneral ? ordered : ordered.filter(({ assetIds }) => assetIds === undefined);
    this.byAsset = isGeneral ? undefined : new AssetIndex(ordered, assetsOf, isApplied);
    this.only = isGeneral ? onlyOf(ordered) : undefined;
    this.fixed = this.only && fixedBy(this.only);
  }

  /** The steps that are not in dry run. */
  get enforced(): StepList {
    if (!this.hasDryRuns) return this;
    return (this.others ??= StepList.of(this.all.filter(({ dryRun }) => dryRun === undefined)));
  }

  /** The steps that may apply to a record, in order, up to one that is applied whatever the record. */
  for(record: RecordView | undefined): Iterable<PlanStep> {
    if (record === undefined) return this.general;
    this.index ??= new ConditionIndex(this.general, ({ condition }) => condition && [condition]);
    const general = this.index.for(record);
    const ofAssets = this.byAsset?.for(record) ?? NO_STEPS;
    if (ofAssets.length === 0) return general;
    return general.length === 0 ? inOrder(ofAssets) : merged(general, inOrder(ofAssets));
  }

  /** The steps that are about a record, in order, also those whose conditions do not hold. */
  about(record: RecordView | undefined): readonly PlanStep[] {
    if (record === undefined || this.byAsset === undefined) return this.general;
    this.allByAsset ??= new AssetIndex(this.all, assetsOf);
    return inOrder([...this.general, ...this.allByAsset.for(record)]);
  }
}

const NO_STEPS: readonly never[] = [];

function assetsOf({ assetIds }: PlanStep): Iterable<string> {
  return assetIds ?? [];
}

function isApplied({ condition, dryRun }: PlanStep): boolean {
  return condition === undefined && dryRun === undefined;
}

/** Merges two lists of different steps that are in order, lazily: the first step may decide. */
function* merged(some: readonly PlanStep[], others: readonly PlanStep[]): Generator<PlanStep> {
  let at = 0;
  for (const step of others) {
    while (at < some.length && some[at]!.rank < step.rank) yield some[at++]!;
    yield step;
  }
  while (at < some.length) yield some[at++]!;
}

/** How many lists are kept, so that no payload fills the memory. */
const MAX_LISTS = 1024;

/** The same list for the same steps of a plan. */
export class StepLists {
  private readonly known = new Map<string, StepList>();

  of(steps: readonly PlanStep[]): StepList {
    if (steps.length === 0) return StepList.NONE;
    let key = '';
    for (const { number } of steps) key += `${number} `;
    const known = this.known.get(key);
    if (known) return known;
    const list = StepList.of(steps);
    if (this.known.size >= MAX_LISTS) this.known.clear();
    this.known.set(key, list);
    return list;
  }
}

/** What comes after a step without a condition is never tried. */
function onlyOf([first, ...others]: readonly PlanStep[]): PlanStep | undefined {
  const isOnly = first && !first.dryRun && (others.length === 0 || !first.condition);
  return isOnly ? first : undefined;
}

function fixedBy({ action, condition, policies }: PlanStep): FixedChange | undefined {
  const { fixed } = action;
  if (fixed === undefined) return undefined;
  const { texts, others, setsEmpty = false } = fixed;
  return { condition, texts, others, setsEmpty, policies };
}

/** Steps by their ranks, each of them once. */
export function inOrder(steps: readonly PlanStep[]): readonly PlanStep[] {
  for (let at = 1; at < steps.length; at++)
    if (steps[at - 1]!.rank >= steps[at]!.rank) return _.sortBy(_.uniq(steps), (step) => step.rank);
  return steps;
}
