import type { Explainer } from '../core/explain/explanation.ts';
import type { Effect } from '../core/actions/applied.ts';
import type { RecordView } from '../core/plan/record.ts';
import type { DryRun, Policy } from '../core/rule.ts';
import type { Observer } from '../core/walk/observer.ts';
import type { Audit } from './audit.ts';
import type { DryRunLog } from './dry-run.ts';

/** How much of a payload enforcement met and changed. */
export interface Counts {
  records: number;
  /** Properties. */
  masked: number;
  /** Properties that were null or empty. */
  set: number;
  /** Properties that were absent. */
  created: number;
  /** Properties and elements of lists. */
  removedProperties: number;
  /** Records that a filter removed. */
  removed: number;
  /** Records that a policy in dry run would have changed, counted once a policy. */
  skipped: number;
  /** Values that conditions compared and that do not read as the condition's type. */
  unreadable: number;
}

/** Counts what masking does, and has dry runs and the audit logged. */
export class Recorder implements Observer {
  readonly counts: Counts = {
    records: 0,
    masked: 0,
    set: 0,
    created: 0,
    removedProperties: 0,
    removed: 0,
    skipped: 0,
    unreadable: 0,
  };
  witness: Explainer | undefined;
  private readonly dryRuns: DryRunLog;
  private readonly audit: Audit | undefined;

  constructor(dryRuns: DryRunLog, audit: Audit | undefined) {
    this.dryRuns = dryRuns;
    this.audit = audit;
  }

  record(): void {
    this.counts.records++;
  }

  changed(effect: Effect, policies: readonly Policy[], record: RecordView | undefined): void {
    this.counts[effect === 'removed' ? 'removedProperties' : effect]++;
    this.audit?.changed(effect, policies, record);
  }

  removed(): void {
    this.counts.removed++;
    this.audit?.removed();
  }

  unreadable(): void {
    this.counts.unreadable++;
  }

  skipped(policies: readonly (Policy & { dryRun: DryRun })[], record: RecordView): void {
    this.counts.skipped += this.dryRuns.skipped(policies, record);
  }
}
