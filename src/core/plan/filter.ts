import _ from 'lodash';
import { dryRunPolicies, type DryRun, type FilterRule, type Policy, type Rules } from '../rule.ts';
import { ConditionIndex } from './condition-index.ts';
import type { RecordCondition, RecordConditions } from './record-condition.ts';
import type { RecordView } from './record.ts';

type DryRunPolicies = readonly (Policy & { dryRun: DryRun })[];

interface PlannedFilter {
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
  private readonly allowed: Filters;
  private readonly denied: Filters;
  private readonly dryAllowed: Filters;
  private readonly dryDenied: Filters;
  private readonly staysByDefault: boolean;

  constructor({ filters, filterDefault }: Rules, conditions: RecordConditions) {
    const planned = filters.map((rule) => ({ effect: rule.effect, filter: plan(rule, conditions) }));
    const [dry, effective] = _.partition(planned, ({ filter }) => filter.dryRun !== undefined);
    this.allowed = new Filters(effective, 'allow');
    this.denied = new Filters(effective, 'deny');
    this.dryAllowed = new Filters(dry, 'allow');
    this.dryDenied = new Filters(dry, 'deny');
    this.hasDryRuns = dry.length > 0;
    // Rules in dry run remove nothing: if all that allow records are, each record stays.
    this.staysByDefault =
      this.allowed.all.length === 0 && (filterDefault !== 'deny' || this.dryAllowed.all.length > 0);
    this.lacksRules =
      filterDefault === 'allow' && this.allowed.all.length === 0 && this.dryAllowed.all.length === 0;
    this.isActive = planned.length > 0 || !this.staysByDefault;
  }

  keeps(record: RecordView): boolean {
    const isAllowed = this.staysByDefault || this.allowed.anyHolds(record);
    return isAllowed && !this.denied.anyHolds(record);
  }

  /** The policies in dry run without which a record that stays would have been removed. */
  skippedFor(record: RecordView): DryRunPolicies {
    return [...this.dryDenied.holding(record), ...this.failingFor(record)].flatMap(
      ({ dryRun }) => dryRun ?? [],
    );
  }

  private failingFor(record: RecordView): readonly PlannedFilter[] {
    const isAllowed = this.allowed.anyHolds(record) || this.dryAllowed.anyHolds(record);
    return isAllowed ? [] : this.dryAllowed.all;
  }
}

function plan(rule: FilterRule, conditions: RecordConditions): PlannedFilter {
  return {
    condition: conditions.compile(rule.condition),
    assetIds: rule.assetIds,
    policies: rule.policies,
    dryRun: dryRunPolicies(rule),
  };
}

/** The filters of one effect. */
class Filters {
  readonly all: readonly PlannedFilter[];
  /** Made when a record is met. */
  private madeIndex: ConditionIndex<PlannedFilter> | undefined;

  constructor(
    planned: readonly { readonly effect: FilterRule['effect']; readonly filter: PlannedFilter }[],
    effect: FilterRule['effect'],
  ) {
    this.all = planned.filter((one) => one.effect === effect).map(({ filter }) => filter);
  }

  private get index(): ConditionIndex<PlannedFilter> {
    this.madeIndex ??= new ConditionIndex(this.all, ({ condition }) => [condition]);
    return this.madeIndex;
  }

  anyHolds(record: RecordView): boolean {
    if (this.all.length === 0) return false;
    for (const filter of this.index.for(record)) if (holds(filter, record)) return true;
    return false;
  }

  holding(record: RecordView): readonly PlannedFilter[] {
    return this.index.for(record).filter((filter) => holds(filter, record));
  }
}

function holds({ condition, assetIds }: PlannedFilter, record: RecordView): boolean {
  return isAbout(assetIds, record) && condition.holds(record);
}

function isAbout(assetIds: ReadonlySet<string> | undefined, record: RecordView): boolean {
  return assetIds === undefined || record.assetIds.some((id) => assetIds.has(id));
}
