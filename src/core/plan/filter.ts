import _ from 'lodash';
import { dryRunPolicies, type DryRun, type FilterRule, type Policy, type Rules } from '../rule.ts';
import { AssetIndex } from './asset-index.ts';
import { ByClass } from './by-class.ts';
import { ConditionIndex } from './condition-index.ts';
import { anyHolds, decidedOnce, type RecordCondition, type RecordConditions } from './record-condition.ts';
import type { RecordView } from './record.ts';

type DryRunPolicies = readonly (Policy & { dryRun: DryRun })[];

const NO_POLICIES: DryRunPolicies = [];
const NO_LISTS: readonly DryRunPolicies[] = [];

interface PlannedFilter {
  /** The place among all filters. */
  readonly place: number;
  readonly condition: RecordCondition;
  readonly assetIds: ReadonlySet<string> | undefined;
  readonly policies: readonly Policy[];
  readonly dryRun: DryRunPolicies | undefined;
}

/** Which records stay (docs/enforcement.md#filter, docs/enforcement.md#dry-run for those in dry run). */
export class FilterPlan {
  /** Whether there is anything to decide for a record. */
  readonly isActive: boolean;
  /** Whether any filter is in dry run. */
  readonly hasDryRuns: boolean;
  /** Whether filtering is on and, for want of a rule that allows any, keeps all records by default. */
  readonly lacksRules: boolean;
  /** Whether any filter that is enforced is about certain assets. */
  readonly isAboutAssets: boolean;
  private readonly allowed: Filters;
  private readonly denied: Filters;
  private readonly dryAllowed: Filters;
  private readonly dryDenied: Filters;
  /** Lists of filters in dry run: each would have to allow a record. */
  private readonly dryLists: readonly Filters[];
  private readonly areListsAboutAssets: boolean;
  private readonly failing = new ByClass((record) => this.findFailing(record));
  private readonly staysByDefault: boolean;

  constructor({ filters, filterDefault }: Rules, conditions: RecordConditions) {
    const planned = filters.map((rule, place) => ({
      effect: rule.effect,
      list: rule.list,
      filter: plan(rule, place, conditions),
    }));
    const [dry, effective] = _.partition(planned, ({ filter }) => filter.dryRun !== undefined);
    this.allowed = filtersOf(effective, 'allow');
    this.denied = filtersOf(effective, 'deny');
    const [listed, others] = _.partition(dry, ({ list }) => list !== undefined);
    this.dryAllowed = filtersOf(others, 'allow');
    this.dryDenied = filtersOf(others, 'deny');
    this.dryLists = Object.values(_.groupBy(listed, 'list')).map((some) => filtersOf(some, 'allow'));
    this.areListsAboutAssets = listed.some(({ filter }) => filter.assetIds !== undefined);
    this.hasDryRuns = dry.length > 0;
    this.isAboutAssets = effective.some(({ filter }) => filter.assetIds !== undefined);
    // Rules in dry run remove nothing: if all that allow records are, each record stays.
    const areTried = dry.some(({ effect }) => effect === 'allow');
    this.staysByDefault = this.allowed.all.length === 0 && (filterDefault !== 'deny' || areTried);
    this.lacksRules = filterDefault === 'allow' && this.allowed.all.length === 0 && !areTried;
    this.isActive = planned.length > 0 || !this.staysByDefault;
  }

  keeps(record: RecordView): boolean {
    const isAllowed = this.staysByDefault || this.allowed.anyHolds(record);
    return isAllowed && !this.denied.anyHolds(record);
  }

  /** The policies in dry run without which a record that stays would have been removed. */
  skippedFor(record: RecordView): DryRunPolicies {
    const isAllowed = this.allowed.anyHolds(record) || this.dryAllowed.anyHolds(record);
    const all = [
      policiesIn(this.dryDenied.holding(record)),
      isAllowed ? NO_POLICIES : this.dryAllowed.tried,
      ...this.failingLists(record),
    ].filter(({ length }) => length > 0);
    const [first = NO_POLICIES, ...others] = all;
    return others.length === 0 ? first : all.flat();
  }

  /** The policies of each list that does not allow a record. */
  private failingLists(record: RecordView): readonly DryRunPolicies[] {
    if (this.dryLists.length === 0) return NO_LISTS;
    // A class does not say which assets its records are.
    return this.areListsAboutAssets ? this.findFailing(record) : this.failing.of(record);
  }

  private findFailing(record: RecordView): readonly DryRunPolicies[] {
    return this.dryLists.filter((list) => !list.anyHolds(record)).map(({ tried }) => tried);
  }
}

function plan(rule: FilterRule, place: number, conditions: RecordConditions): PlannedFilter {
  return {
    place,
    condition: conditions.compile(rule.condition),
    assetIds: rule.assetIds,
    policies: rule.policies,
    dryRun: dryRunPolicies(rule),
  };
}

/** So few filters are asked one by one. */
const FEW = 4;

/** The filters of one effect. */
class Filters {
  readonly all: readonly PlannedFilter[];
  private readonly general: readonly PlannedFilter[];
  private readonly aboutAssets: readonly PlannedFilter[];
  /** By their conditions and by their assets; made when a record is met. */
  private madeAny: RecordCondition | undefined;
  private madeIndex: ConditionIndex<PlannedFilter> | undefined;
  private madeAssets: AssetIndex<PlannedFilter> | undefined;
  private foundTried: DryRunPolicies | undefined;

  constructor(all: readonly PlannedFilter[]) {
    this.all = all;
    [this.general, this.aboutAssets] = _.partition(this.all, ({ assetIds }) => assetIds === undefined);
  }

  /** The policies that are in dry run. */
  get tried(): DryRunPolicies {
    return (this.foundTried ??= policiesIn(this.all));
  }

  private get index(): ConditionIndex<PlannedFilter> {
    this.madeIndex ??= new ConditionIndex(this.general, conditionOf);
    return this.madeIndex;
  }

  /** Whether any holds of those that are about all records. */
  private get anyGeneral(): RecordCondition {
    return (this.madeAny ??= this.makeAny());
  }

  /** It is asked once for all records of a class if they are many. */
  private makeAny(): RecordCondition {
    const conditions = this.general.map(({ condition }) => condition);
    const [only, ...others] = conditions;
    if (only && others.length === 0) return only;
    return decidedOnce(
      conditions.length <= FEW
        ? (record) => anyHolds(conditions, record)
        : (record) => this.index.for(record).some(({ condition }) => condition.holds(record)),
      _.sumBy(conditions, ({ size }) => size),
    );
  }

  private get assets(): AssetIndex<PlannedFilter> {
    this.madeAssets ??= new AssetIndex(this.aboutAssets, assetsOf);
    return this.madeAssets;
  }

  anyHolds(record: RecordView): boolean {
    if (this.general.length > 0 && this.anyGeneral.holds(record)) return true;
    if (this.aboutAssets.length > 0)
      for (const { condition } of this.assets.for(record)) if (condition.holds(record)) return true;
    return false;
  }

  /** In order. */
  holding(record: RecordView): readonly PlannedFilter[] {
    const general = holdingAmong(this.index.for(record), record);
    if (this.aboutAssets.length === 0) return general;
    return _.sortBy([...general, ...holdingAmong(this.assets.for(record), record)], ({ place }) => place);
  }
}

function policiesIn(filters: readonly PlannedFilter[]): DryRunPolicies {
  return filters.flatMap(({ dryRun }) => dryRun ?? []);
}

function holdingAmong(filters: readonly PlannedFilter[], record: RecordView): readonly PlannedFilter[] {
  return filters.filter(({ condition }) => condition.holds(record));
}

/** Most decisions have none. */
const NO_FILTERS = new Filters([]);

function filtersOf(
  planned: readonly { readonly effect: FilterRule['effect']; readonly filter: PlannedFilter }[],
  effect: FilterRule['effect'],
): Filters {
  if (planned.length === 0) return NO_FILTERS;
  return new Filters(planned.filter((one) => one.effect === effect).map(({ filter }) => filter));
}

function conditionOf({ condition }: PlannedFilter): readonly RecordCondition[] {
  return [condition];
}

function assetsOf({ assetIds }: PlannedFilter): Iterable<string> {
  return assetIds ?? [];
}
