import _ from 'lodash';
import type { Plan, PlanState } from '../plan/plan.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';
import type { Observer } from './observer.ts';
import type { Pace } from './pace.ts';

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

/**
 * What a plan asks of values above all records. Arrays in arrays inherit the same again and again: it is kept once, and what was found
 * for one array is found for the next one beside it.
 */
export class AboveRecords {
  private readonly plan: Plan;
  private readonly pace: Pace;
  /** For what is inherited, the state that was asked for last. */
  private readonly last = new WeakMap<Inherited, { readonly state: PlanState; readonly asked: AskedAbove }>();

  constructor(plan: Plan, pace: Pace) {
    this.plan = plan;
    this.pace = pace;
  }

  /** What is asked of a value above all records, which has inherited what is asked of values around it. */
  at(state: PlanState, from: Inherited): AskedAbove {
    const { onPlace } = this.plan.at(state);
    if (onPlace.isEmpty)
      return from === NOTHING_INHERITED
        ? NOTHING_ABOVE
        : { step: undefined, steps: NO_STEPS, inherited: from };
    const last = this.last.get(from);
    if (last?.state === state) return last.asked;
    this.pace.spend(onPlace.all.length + from.perRecord.length + from.skipped.length);
    const asked = decided(onPlace.all, from);
    this.last.set(from, { state, asked });
    return asked;
  }
}

function decided(all: readonly PlanStep[], from: Inherited): AskedAbove {
  const [perRecord, others] = _.partition(all, ({ isPerRecord }) => isPerRecord);
  const at = others.findIndex(({ dryRun }) => !dryRun);
  const skipped = at < 0 ? others : others.slice(0, at);
  const inherited = {
    perRecord: joined(from.perRecord, perRecord),
    skipped: joined(from.skipped, skipped),
  };
  const isNew = inherited.perRecord !== from.perRecord || inherited.skipped !== from.skipped;
  return { step: others[at], steps: others, inherited: isNew ? inherited : from };
}

/** Steps and others, each of them once: the same list if there are no others. */
function joined(steps: readonly PlanStep[], others: readonly PlanStep[]): readonly PlanStep[] {
  if (others.length === 0) return steps;
  if (steps.length === 0) return others;
  const known = new Set(steps);
  const unknown = others.filter((step) => !known.has(step));
  return unknown.length === 0 ? steps : [...steps, ...unknown];
}

/** Reports the steps in dry run that would have been applied to a record as a part of what is above it. */
export function skipAbove(observer: Observer, record: RecordView, { skipped }: Inherited): void {
  if (!observer.followsDryRuns) return;
  for (const { dryRun } of skipped) if (dryRun) observer.skipped(dryRun, record);
}
