import _ from 'lodash';
import { dryRunPolicies, type DryRun, type FilterRule, type Policy, type Rules } from '../rule.ts';
import type { RecordConditions } from './record-condition.ts';
import type { RecordView } from './record.ts';

type DryRunPolicies = readonly (Policy & { dryRun: DryRun })[];

interface PlannedFilter {
  readonly holds: (record: RecordView) => boolean;
  readonly policies: readonly Policy[];
  readonly dryRun: DryRunPolicies | undefined;
}

/** Which records stay (enforcement §6, "FILTER", and §9 for those in dry run). */
export class FilterPlan {
  /** Whether there is anything to decide for a record. */
  readonly isActive: boolean;
  /** Whether filtering is on and, for want of a rule that allows any, keeps all records by default. */
  readonly lacksRules: boolean;
  private readonly allowed: readonly PlannedFilter[];
  private readonly denied: readonly PlannedFilter[];
  private readonly dryAllowed: readonly PlannedFilter[];
  private readonly dryDenied: readonly PlannedFilter[];
  private readonly staysByDefault: boolean;

  constructor({ filters, filterDefault }: Rules, conditions: RecordConditions) {
    const planned = filters.map((rule) => ({ effect: rule.effect, filter: plan(rule, conditions) }));
    const [dry, effective] = _.partition(planned, ({ filter }) => filter.dryRun !== undefined);
    this.allowed = filtersOf(effective, 'allow');
    this.denied = filtersOf(effective, 'deny');
    this.dryAllowed = filtersOf(dry, 'allow');
    this.dryDenied = filtersOf(dry, 'deny');
    // Rules in dry run remove nothing: if all that allow records are, each record stays.
    this.staysByDefault =
      this.allowed.length === 0 && (filterDefault !== 'deny' || this.dryAllowed.length > 0);
    this.lacksRules = filterDefault === 'allow' && this.allowed.length === 0 && this.dryAllowed.length === 0;
    this.isActive = planned.length > 0 || !this.staysByDefault;
  }

  keeps(record: RecordView): boolean {
    const isAllowed = this.staysByDefault || this.allowed.some(({ holds }) => holds(record));
    return isAllowed && !this.denied.some(({ holds }) => holds(record));
  }

  /** Whether any filter is in dry run. */
  get hasDryRuns(): boolean {
    return this.dryAllowed.length + this.dryDenied.length > 0;
  }

  /** The policies in dry run without which a record that stays would have been removed. */
  skippedFor(record: RecordView): DryRunPolicies {
    const denying = this.dryDenied.filter(({ holds }) => holds(record));
    return [...denying, ...this.failingFor(record)].flatMap(({ dryRun }) => dryRun ?? []);
  }

  private failingFor(record: RecordView): readonly PlannedFilter[] {
    const isAllowed = [...this.allowed, ...this.dryAllowed].some(({ holds }) => holds(record));
    return isAllowed ? [] : this.dryAllowed;
  }
}

function plan(rule: FilterRule, conditions: RecordConditions): PlannedFilter {
  const condition = conditions.compile(rule.condition);
  return {
    holds: (record) => isAbout(rule.assetIds, record) && condition.holds(record),
    policies: rule.policies,
    dryRun: dryRunPolicies(rule),
  };
}

function isAbout(assetIds: ReadonlySet<string> | undefined, record: RecordView): boolean {
  return assetIds === undefined || record.assetIds.some((id) => assetIds.has(id));
}

function filtersOf(
  planned: readonly { effect: FilterRule['effect']; filter: PlannedFilter }[],
  effect: 'allow' | 'deny',
) {
  return planned.filter((one) => one.effect === effect).map(({ filter }) => filter);
}
