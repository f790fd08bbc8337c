import type { Effect } from '../actions/mask-result.ts';
import type { RecordView } from '../plan/record.ts';
import type { DryRun, Policy } from '../rule.ts';

/** Is told what masking does, as it is done. */
export interface Observer {
  /** A record was met, whether it stays or not. */
  record(): void;
  /** What became of a property; above all records there is none. */
  changed(effect: Effect, policies: readonly Policy[], record: RecordView | undefined): void;
  /** A record, or an element of the root that is none, was removed. */
  removed(): void;
  /** A condition compared a value that does not read as its type. */
  unreadable(): void;
  /** Rules of these policies would have been applied to a record; told again for each property. */
  skipped(policies: readonly (Policy & { dryRun: DryRun })[], record: RecordView): void;
}
