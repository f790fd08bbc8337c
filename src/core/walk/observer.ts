import type { Effect, MaskResult } from '../actions/mask-result.ts';
import type { Node } from '../json/document.ts';
import type { RecordView } from '../plan/record.ts';
import type { Creation } from '../plan/plan.ts';
import type { PlanStep } from '../plan/step.ts';
import type { DryRun, Policy } from '../rule.ts';

/** Learns what masking does, as it is done. */
export interface Observer {
  /** A record was met, whether it stays or not. */
  record(): void;
  /** What became of a property; above all records, `record` is undefined. */
  changed(effect: Effect, policies: readonly Policy[], record: Node | undefined): void;
  /** A record, or an element of the root that is none, was removed. */
  removed(): void;
  /** A condition compared a value that does not read as its type. */
  unreadable(): void;
  /** Whether it is still to be found out what rules in dry run would do. */
  readonly followsDryRuns: boolean;
  /** Rules of these policies would have been applied to a record; it may be called several times. */
  skipped(policies: readonly (Policy & { dryRun: DryRun })[], record: RecordView): void;
  /** Follows every decision of the walk; undefined unless somebody wants an explanation. */
  readonly witness?: Witness | undefined;
}

/** What the rules that reach one place came to. */
export interface Verdict {
  /** All of them, in the order in which they are tried. They are collected when they are asked for, as they may be many. */
  readonly stepsAbout: () => readonly PlanStep[];
  /** The one that was applied, if any was. */
  readonly applied: PlanStep | undefined;
  readonly effect: MaskResult['effect'] | 'created';
  /** Undefined above all records. */
  readonly record: RecordView | undefined;
}

/** Sees each decision of the walk after it was made, in the order of the payload. It changes nothing. */
export interface Witness {
  /** What it has read so far by itself, about, in words of the tape. */
  readonly effort: number;
  /** Rules reached a value. */
  decided(node: Node, verdict: Verdict): void;
  /**
   * Rules may create properties in an object, or in the place of null.
   *
   * @param isPresent which of the properties it has, by their place; undefined if it lacks them all
   */
  lacking(
    node: Node,
    creations: readonly Creation[],
    isPresent: readonly boolean[] | undefined,
    record: RecordView | undefined,
  ): void;
  /** The filters decided whether a record stays. */
  filtered(record: RecordView, isKept: boolean): void;
}
