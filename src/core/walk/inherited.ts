import _ from 'lodash';
import type { Plan, PlanState } from '../plan/plan.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';
import type { Observer } from './observer.ts';

/** What rules ask of values above all records, as far as that concerns the records inside. */
export interface Inherited {
  /** The steps that are decided for each record as a whole. */
  readonly perRecord: readonly PlanStep[];
  /** The steps in dry run that would have changed a value around the record. */
  readonly skipped: readonly PlanStep[];
}

/** What is asked of a value above all records. */
interface AskedAbove {
  /** The step that is applied to the value, if any. */
  readonly step: PlanStep | undefined;
  /** Those that are tried. */
  readonly steps: readonly PlanStep[];
  /** What the records inside inherit. */
  readonly inherited: Inherited;
}

export const NOTHING_INHERITED: Inherited = { perRecord: [], skipped: [] };
const NO_STEPS: readonly PlanStep[] = [];
const NOTHING_ABOVE: AskedAbove = { step: undefined, steps: NO_STEPS, inherited: NOTHING_INHERITED };

/** What is asked of a value above all records, which has inherited what is asked of values around it. */
export function decideAbove(plan: Plan, state: PlanState, from: Inherited): AskedAbove {
  const { onPlace } = plan.at(state);
  if (onPlace.isEmpty)
    return from === NOTHING_INHERITED ? NOTHING_ABOVE : { step: undefined, steps: NO_STEPS, inherited: from };
  const [perRecord, others] = _.partition(onPlace.all, ({ isPerRecord }) => isPerRecord);
  const at = others.findIndex(({ dryRun }) => !dryRun);
  const skipped = at < 0 ? others : others.slice(0, at);
  const inherited = {
    perRecord: [...from.perRecord, ...perRecord],
    skipped: [...from.skipped, ...skipped],
  };
  return { step: others[at], steps: others, inherited };
}

/** Reports the steps in dry run that would have been applied to a record as a part of what is above it. */
export function skipAbove(observer: Observer, record: RecordView, { skipped }: Inherited): void {
  if (!observer.followsDryRuns) return;
  for (const { dryRun } of skipped) if (dryRun) observer.skipped(dryRun, record);
}
