import { endBefore, endOf, Kind, startOf, type JsonDocument, type Node } from '../json/document.ts';
import type { MaskResult } from '../actions/mask-result.ts';
import type { Splicer } from '../json/splicer.ts';
import type { Root } from '../roots.ts';
import type { Plan, PlanState } from '../plan/plan.ts';
import type { RecordLikeness } from '../plan/record-class.ts';
import type { RecordCondition } from '../plan/record-condition.ts';
import type { RecordView, RecordViews } from '../plan/record.ts';
import type { FixedChange, PlanStep, StepList } from '../plan/step.ts';
import type { Observer, Verdict, Witness } from './observer.ts';
import { endOfCut, startOfCut } from './removals.ts';
import { isRepeatable, repeated, runAt } from './runs.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const LAST_STRING = Kind.escapedString;
const QUOTE = 0x22;

/** Decides which of the rules that reach a value is applied, applies it, and reports that. */
export class Changes {
  readonly doc: JsonDocument;
  readonly plan: Plan;
  readonly splicer: Splicer;
  readonly witness: Witness | undefined;
  /** Whether the value that was changed last is to go: the loop over what holds it cuts it, with its comma. */
  isLeaving = false;
  private readonly observer: Observer;
  private readonly views: RecordViews;
  /** The record whose properties are walked; undefined above all records, where no rule has a condition. */
  private recordNode: Node | undefined;
  private root: Root | undefined;
  private viewed: RecordView | undefined;
  /** What that record has in common with others, if that is known. */
  private likeness: RecordLikeness | undefined;
  /** The condition that the record was asked for last, and whether it holds. */
  private asked: RecordCondition | undefined;
  private answer = false;
  /** The steps that are applied to values of the record, and to absent ones, by those that are tried, if any of these is in dry run. */
  private readonly decided = new Map<StepList, PlanStep | undefined>();
  private readonly decidedOnAbsent = new Map<StepList, PlanStep | undefined>();

  constructor(doc: JsonDocument, plan: Plan, splicer: Splicer, observer: Observer, views: RecordViews) {
    this.doc = doc;
    this.plan = plan;
    this.splicer = splicer;
    this.observer = observer;
    this.witness = observer.witness;
    this.views = views;
  }

  /** Begins with a record. */
  enter(node: Node, root: Root): void {
    this.recordNode = node;
    this.root = root;
    this.likeness = undefined;
    this.forget();
  }

  /** Takes note of what the record has in common with others. */
  resembles(likeness: RecordLikeness): void {
    this.likeness = likeness;
  }

  leave(): void {
    this.recordNode = undefined;
    this.viewed = undefined;
    this.forget();
  }

  private forget(): void {
    this.asked = undefined;
    if (this.decided.size > 0) this.decided.clear();
    if (this.decidedOnAbsent.size > 0) this.decidedOnAbsent.clear();
  }

  /** Whether it matters what rules in dry run would do. */
  get followsDryRuns(): boolean {
    return this.observer.followsDryRuns;
  }

  get record(): RecordView | undefined {
    const { recordNode, root } = this;
    if (recordNode === undefined || root === undefined) return undefined;
    return (this.viewed ??= this.viewOf(recordNode, root));
  }

  private viewOf(record: Node, root: Root): RecordView {
    const view = this.views.of(record, root);
    view.likeness = this.likeness;
    return view;
  }

  /** Whether the value that was changed last is to go; asked once. */
  takeLeaving(): boolean {
    const { isLeaving } = this;
    this.isLeaving = false;
    return isLeaving;
  }

  /**
   * Changes a value if a rule is about it.
   *
   * @param next where what follows it begins, as {@link endBefore} takes it
   * @returns whether a rule was applied, even if it leaves the value as it is
   */
  change(steps: StepList, node: Node, next: number): boolean {
    if (steps.isEmpty) return false;
    const { only } = steps;
    const step =
      only === undefined
        ? this.stepOf(steps)
        : only.condition === undefined || this.holds(only.condition)
          ? only
          : undefined;
    const effect = step === undefined ? 'unchanged' : this.apply(step, node, next);
    if (this.witness !== undefined) this.reportDecided(steps, node, step, effect);
    return step !== undefined;
  }

  /** By itself, so that what runs for each value stays small. */
  private reportDecided(
    steps: StepList,
    node: Node,
    step: PlanStep | undefined,
    effect: Verdict['effect'],
  ): void {
    this.witness?.decided(
      node,
      this.verdict(() => steps.about(this.record), step, effect),
    );
  }

  /** The same for a scalar with only one rule, which makes the same of every value. Nothing follows it for a witness. */
  changeFixed(change: FixedChange, word: number, next: number): void {
    const { condition, texts, others, policies } = change;
    if (condition !== undefined && !this.holds(condition)) return;
    const piece = (word & 7) <= LAST_STRING ? texts : others;
    this.splicer.replace(word >>> 3, endBefore(this.doc, next), piece);
    this.observer.changed(this.effectOf(change, word), policies, this.recordNode);
  }

  /** What a fixed change does to a scalar. */
  private effectOf({ setsEmpty }: FixedChange, word: number): 'masked' | 'set' {
    const isEmptyString =
      setsEmpty && (word & 7) <= LAST_STRING && this.doc.bytes[(word >>> 3) + 1] === QUOTE;
    return isEmptyString ? 'set' : 'masked';
  }

  /**
   * The same for scalars that follow one another in an array.
   *
   * @param stop the node after the array
   * @param areRecords whether each of them is a record
   * @returns how many of them, from the first on, were changed; the others have to be changed one by one
   */
  changeRun(change: FixedChange, first: Node, stop: Node, areRecords: boolean): number {
    const { doc, observer } = this;
    const { condition, texts, others, policies } = change;
    if (condition !== undefined && (areRecords || !this.holds(condition))) return 0;
    const { tape } = doc;
    const one = (tape[first]! & 7) <= LAST_STRING ? texts : others;
    if (!isRepeatable(one)) return 0;
    const count = runAt(doc, first, stop);
    if (count < 2) return 0;
    this.splicer.replace(tape[first]! >>> 3, (tape[first + count]! >>> 3) - 1, repeated(one, count));
    for (let node = first; node < first + count; node++)
      observer.changed(this.effectOf(change, tape[node]!), policies, areRecords ? node : this.recordNode);
    return count;
  }

  /** Decides above all records: applies a step, if any is, to a value. */
  applyAbove(step: PlanStep | undefined, node: Node, next: number, steps: readonly PlanStep[]): void {
    const effect = step ? this.apply(step, node, next) : 'unchanged';
    this.witness?.decided(
      node,
      this.verdict(() => steps, step, effect),
    );
  }

  /** Whether a rule removes a record: then nothing is written, and the caller cuts it. */
  removesRecord(record: RecordView, state: PlanState): boolean {
    const { onObject } = this.plan.at(state);
    if (onObject.isEmpty) return false;
    this.enter(record.node, record.root);
    const isRemoved = this.isRemovedBy(onObject, record);
    this.leave();
    return isRemoved;
  }

  private isRemovedBy(list: StepList, record: RecordView): boolean {
    const step = this.firstHolding(list.enforced.for(record));
    const isRemoved = step !== undefined && this.removes(step, record.node, () => list.about(record));
    if (isRemoved && list.hasDryRuns) this.stepOf(list);
    return isRemoved;
  }

  /** Whether a step, of those that were tried, removes a value; it counts then as done. */
  removes(step: PlanStep, node: Node, steps: Verdict['stepsAbout']): boolean {
    const isRemoved = step.action.apply(this.doc, node, endOf(this.doc, node)).effect === 'removed';
    if (!isRemoved) return false;
    this.observer.changed('removed', step.policies, this.recordNode);
    this.witness?.decided(node, this.verdict(steps, step, 'removed'));
    return true;
  }

  /** The step that sets an absent property. */
  creating(state: PlanState): PlanStep | undefined {
    const { onAbsent } = this.plan.at(state);
    if (onAbsent.isEmpty) return undefined;
    const step = this.stepOfAny(onAbsent, this.decidedOnAbsent, createsSomething);
    if (step?.action.created === undefined) return undefined;
    this.reportCreated(step);
    return step;
  }

  reportCreated({ policies }: PlanStep): void {
    this.observer.changed('created', policies, this.recordNode);
  }

  /** Cuts a child of a container, from its element or name to where the next one begins, with one comma. */
  cut(first: Node, next: number, isLeading: boolean, isLast: boolean): void {
    const { doc } = this;
    this.splicer.cut(startOfCut(doc, first, isLeading), endOfCut(doc, next, isLeading, isLast));
    this.isLeaving = false;
  }

  private verdict(
    stepsAbout: Verdict['stepsAbout'],
    applied: PlanStep | undefined,
    effect: Verdict['effect'],
  ): Verdict {
    return { stepsAbout, applied, effect, record: this.record };
  }

  /** Neighbours tend to be under the same condition. */
  private holds(condition: RecordCondition): boolean {
    if (condition !== this.asked) {
      const { record } = this;
      this.asked = condition;
      this.answer = record !== undefined && condition.holds(record);
    }
    return this.answer;
  }

  /** Applies a step to a value; one that removes it leaves it to be cut ({@link takeLeaving}). */
  private apply(step: PlanStep, node: Node, next: number): MaskResult['effect'] {
    const end = endBefore(this.doc, next);
    const result = step.action.apply(this.doc, node, end);
    if (result.effect === 'unchanged') return result.effect;
    if (result.effect === 'removed') this.isLeaving = true;
    else this.splicer.replace(startOf(this.doc, node), end, result.text);
    this.observer.changed(result.effect, step.policies, this.recordNode);
    return result.effect;
  }

  /** The step that is applied to values at which these are tried. */
  private stepOf(steps: StepList): PlanStep | undefined {
    return this.stepOfAny(steps, this.decided, changesAnything);
  }

  /**
   * The step that is applied. Those in dry run are followed once for all properties of a record at which the same ones are tried:
   * there may be hundreds at each of thousands of properties, and a record has one line for a policy.
   *
   * @param known what is known of this record
   * @param wouldChange whether a step would have done anything here, were it not in dry run
   */
  private stepOfAny(
    steps: StepList,
    known: Map<StepList, PlanStep | undefined>,
    wouldChange: (step: PlanStep) => boolean,
  ): PlanStep | undefined {
    const { record } = this;
    if (!steps.hasDryRuns || !this.observer.followsDryRuns || record === undefined)
      return this.firstHolding(steps.enforced.for(record));
    if (known.has(steps)) return known.get(steps);
    const step = this.firstEffective(steps.for(record), record, wouldChange);
    known.set(steps, step);
    return step;
  }

  private firstHolding(steps: Iterable<PlanStep>): PlanStep | undefined {
    for (const step of steps) if (step.condition === undefined || this.holds(step.condition)) return step;
    return undefined;
  }

  /** The first step whose condition holds and that is not in dry run; those before it that are in dry run are reported. */
  private firstEffective(
    steps: Iterable<PlanStep>,
    record: RecordView,
    wouldChange: (step: PlanStep) => boolean,
  ): PlanStep | undefined {
    for (const step of steps) {
      if (step.condition && !this.holds(step.condition)) continue;
      if (!step.dryRun) return step;
      if (wouldChange(step)) this.observer.skipped(step.dryRun, record);
    }
    return undefined;
  }
}

/** On a value that is present every action counts, also one that leaves it as it is. */
function changesAnything(): boolean {
  return true;
}

function createsSomething({ action }: PlanStep): boolean {
  return action.created !== undefined;
}
