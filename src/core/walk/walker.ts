import _ from 'lodash';
import {
  after,
  endBefore,
  endOf,
  firstIn,
  isContainer,
  isEmpty,
  Kind,
  kindOf,
  startOf,
  startOfNext,
  valueOf,
  type JsonDocument,
  type Node,
} from '../json/document.ts';
import type { MaskResult } from '../actions/mask-result.ts';
import { NOTHING } from '../json/piece.ts';
import { ElementStates } from '../paths/element-states.ts';
import type { Splicer } from '../json/splicer.ts';
import type { Root } from '../roots.ts';
import type { Creation, Plan, PlanState, StatePlan } from '../plan/plan.ts';
import type { RecordCondition } from '../plan/record-condition.ts';
import type { RecordView } from '../plan/record.ts';
import { stateAtObject } from '../paths/sole-element.ts';
import { StepList, type PlanStep } from '../plan/step.ts';
import { Creations } from './creations.ts';
import type { Observer, Verdict, Witness } from './observer.ts';
import { cutOf } from './removals.ts';

/** What rules ask of values above all records, as far as that concerns the records inside. */
export interface Inherited {
  /** The steps that are decided for each record as a whole. */
  readonly perRecord: readonly PlanStep[];
  /** The steps in dry run that would have changed a value around the record. */
  readonly skipped: readonly PlanStep[];
}

export const NOTHING_INHERITED: Inherited = { perRecord: [], skipped: [] };
const NO_STEPS: readonly PlanStep[] = [];
const NOTHING_ABOVE = { step: undefined, steps: NO_STEPS, inherited: NOTHING_INHERITED };

/** Walks the properties of one record and notes what changes: each value is visited once (docs/enforcement.md). */
export class PropertyWalker {
  private readonly doc: JsonDocument;
  private readonly plan: Plan;
  private readonly splicer: Splicer;
  private readonly observer: Observer;
  private readonly witness: Witness | undefined;
  /** Makes a view of a record: only if something is asked of it. */
  private readonly view: (record: Node, root: Root) => RecordView;
  /** The record whose properties are walked; undefined above all records, where no rule has a condition. */
  private recordNode: Node | undefined;
  private root: Root | undefined;
  private viewed: RecordView | undefined;
  /** The condition that the record was asked for last, and whether it holds. */
  private asked: RecordCondition | undefined;
  private answer = false;
  /** Whether the value that was changed last is to go: the loop over what holds it cuts it, with its comma. */
  private isLeaving = false;
  private readonly creations: Creations;
  /** What {@link joined} knows, for steps from above that it was asked for last. */
  private above: readonly PlanStep[] = NO_STEPS;
  private readonly joins = new Map<StepList, StepList>();

  constructor(
    doc: JsonDocument,
    plan: Plan,
    splicer: Splicer,
    observer: Observer,
    view: (record: Node, root: Root) => RecordView,
  ) {
    this.view = view;
    this.doc = doc;
    this.plan = plan;
    this.splicer = splicer;
    this.observer = observer;
    this.witness = observer.witness;
    this.creations = new Creations(
      plan,
      (state) => this.creating(state),
      ({ policies }) => this.observer.changed('created', policies, this.recordNode),
    );
  }

  /**
   * Walks a record: an object, or an element of the root that is none.
   *
   * @param state the state in the record
   * @param above steps from above the record that are decided for each record
   * @param next where what follows the record begins, as {@link endBefore} takes it
   */
  walkRecord(
    node: Node,
    root: Root,
    state: PlanState,
    above: readonly PlanStep[],
    next: number,
    view?: RecordView,
  ): void {
    const kind = kindOf(this.doc, node);
    const steps = stepsOn(kind, this.plan.at(state));
    const own = above.length === 0 ? steps : this.joined(above, steps);
    if (own.isEmpty && kind !== Kind.object) return;
    this.enter(node, root, view);
    if (!this.change(own, node, next) && kind === Kind.object) this.object(node, state);
    this.leave();
  }

  /** Whether the value that was changed last is to go; asked once. */
  takeLeaving(): boolean {
    const { isLeaving } = this;
    this.isLeaving = false;
    return isLeaving;
  }

  /** Whether a rule removes a record: then nothing is written, and the caller cuts it. */
  removesRecord(record: RecordView, state: PlanState): boolean {
    if (this.plan.at(state).onObject.isEmpty) return false;
    this.enter(record.node, record.root, record);
    const isRemoved = this.isRemovedBy(this.plan.at(state).onObject, record);
    this.leave();
    return isRemoved;
  }

  private isRemovedBy(list: StepList, record: RecordView): boolean {
    const steps = list.for(record);
    const step = steps.find(
      ({ condition, dryRun }) => !dryRun && (condition === undefined || this.holds(condition)),
    );
    const isRemoved = step !== undefined && this.removes(step, record.node, list.about(record));
    if (isRemoved) this.firstEffective(steps, changesAnything);
    return isRemoved;
  }

  /** Whether a step, of those that were tried, removes a value; it counts then as done. */
  removes(step: PlanStep, node: Node, steps: readonly PlanStep[]): boolean {
    const isRemoved = step.action.apply(this.doc, node, endOf(this.doc, node)).effect === 'removed';
    if (!isRemoved) return false;
    this.observer.changed('removed', step.policies, this.recordNode);
    this.witness?.decided(node, this.verdict(steps, step, 'removed'));
    return true;
  }

  /**
   * What is asked of a value above all records.
   *
   * @returns the step that is applied to the value, if any, of those that are tried; and what the records inside inherit
   */
  decideAbove(
    state: PlanState,
    from: Inherited,
  ): {
    readonly step: PlanStep | undefined;
    readonly steps: readonly PlanStep[];
    readonly inherited: Inherited;
  } {
    const { onPlace } = this.plan.at(state);
    if (onPlace.isEmpty)
      return from === NOTHING_INHERITED
        ? NOTHING_ABOVE
        : { step: undefined, steps: NO_STEPS, inherited: from };
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
  skipAbove(record: RecordView, { skipped }: Inherited): void {
    for (const { dryRun } of skipped) if (dryRun) this.observer.skipped(dryRun, record);
  }

  /**
   * Changes a value if a rule is about it.
   *
   * @param next where what follows it begins, as {@link endBefore} takes it
   * @returns whether a rule was applied, even if it leaves the value as it is
   */
  private change(steps: StepList, node: Node, next: number): boolean {
    if (steps.isEmpty) return false;
    const { only } = steps;
    const step =
      only === undefined
        ? this.firstEffective(steps.for(this.record), changesAnything)
        : only.condition === undefined || this.holds(only.condition)
          ? only
          : undefined;
    const effect = step === undefined ? 'unchanged' : this.apply(step, node, next);
    if (this.witness) this.witness.decided(node, this.verdict(steps.about(this.record), step, effect));
    return step !== undefined;
  }

  /** Decides above all records: applies a step, if any is, to a value. */
  applyAbove(step: PlanStep | undefined, node: Node, next: number, steps: readonly PlanStep[]): void {
    const effect = step ? this.apply(step, node, next) : 'unchanged';
    this.witness?.decided(node, this.verdict(steps, step, effect));
  }

  private verdict(
    steps: readonly PlanStep[],
    applied: PlanStep | undefined,
    effect: Verdict['effect'],
  ): Verdict {
    return { steps, applied, effect, record: this.record };
  }

  private get record(): RecordView | undefined {
    const { recordNode, root } = this;
    if (recordNode === undefined || root === undefined) return undefined;
    return (this.viewed ??= this.view(recordNode, root));
  }

  private enter(node: Node, root: Root, view: RecordView | undefined): void {
    this.recordNode = node;
    this.root = root;
    this.viewed = view;
    this.asked = undefined;
  }

  private leave(): void {
    this.recordNode = undefined;
    this.viewed = undefined;
    this.asked = undefined;
  }

  /** Steps from above the records with those at one, which are the same for most records. */
  private joined(above: readonly PlanStep[], steps: StepList): StepList {
    if (above !== this.above) this.joins.clear();
    this.above = above;
    const known = this.joins.get(steps);
    if (known) return known;
    const joined = StepList.of([...above, ...steps.all]);
    this.joins.set(steps, joined);
    return joined;
  }

  private value(node: Node, kind: number, from: PlanState, next: number): void {
    const state = from.awaitsElement ? stateAtObject(this.doc, node, from) : from;
    if (this.change(stepsOn(kind, this.plan.at(state)), node, next)) return;
    if (kind >= Kind.null) this.inside(node, kind, state);
  }

  private inside(node: Node, kind: number, state: PlanState): void {
    if (kind === Kind.object) this.object(node, state);
    else if (kind === Kind.array) this.array(node, state);
    else this.fillNull(node, state);
  }

  private object(object: Node, state: PlanState): void {
    const { doc, plan } = this;
    const { creations, places } = plan.at(state);
    let isPresent: boolean[] | undefined;
    let missing = creations.length;
    // Read here and not by functions: it is the loop that everything passes through.
    const { tape } = doc;
    const members = state.membersIn(doc);
    const stop = tape[object + 1]!;
    /** The first name that stays, as far as is known. */
    let kept = firstIn(object);
    for (let name = kept; name < stop;) {
      const value = valueOf(name);
      const kind = kindOf(doc, value);
      const following = isContainer(kind) ? tape[value + 1]! : value + 1;
      const met = members[tape[name + 1]!];
      const next = met === undefined ? state.member(doc, name) : met;
      if (next) {
        if (missing > 0 && plan.at(next).isCreatable) {
          const place = places.get(doc, name);
          if (place !== undefined && isPresent?.[place] !== true) {
            isPresent ??= creations.map(isMissing);
            isPresent[place] = true;
            missing--;
          }
        }
        const end = following < stop ? tape[following]! >>> 3 : tape[object + 2]!;
        this.value(value, kind, next, end);
        if (this.isLeaving) {
          this.cut(name, end, { leading: kept === name, last: following === stop });
          if (kept === name) kept = following;
        }
      }
      name = following;
    }
    if (missing > 0) this.create(object, creations, isPresent, kept === stop);
  }

  private array(array: Node, state: PlanState): void {
    if (state.isIndexed) return this.indexed(array, state);
    const every = state.anyElement();
    if (every === undefined) return;
    const { doc, plan } = this;
    const { tape } = doc;
    const stop = tape[array + 1]!;
    const passesScalars = plan.at(every).onScalar.isEmpty;
    let kept = firstIn(array);
    for (let element = kept; element < stop;) {
      const kind = tape[element]! & 7;
      const following = kind >= Kind.object ? tape[element + 1]! : element + 1;
      if (kind >= Kind.null || !passesScalars) {
        const next = following < stop ? tape[following]! >>> 3 : tape[array + 2]!;
        this.value(element, kind, every, next);
        if (this.isLeaving) {
          this.cut(element, next, { leading: kept === element, last: following === stop });
          if (kept === element) kept = following;
        }
      }
      element = following;
    }
  }

  /** The same where the index of an element decides what is done to it. */
  private indexed(array: Node, state: PlanState): void {
    const { doc } = this;
    const stop = after(doc, array);
    const states = new ElementStates(state, doc, array);
    let kept = firstIn(array);
    for (let element = kept, index = 0; element < stop; index++) {
      const following = after(doc, element);
      const next = states.at(index);
      if (next !== undefined) {
        const end = startOfNext(doc, following, array);
        this.value(element, kindOf(doc, element), next, end);
        if (this.isLeaving) {
          this.cut(element, end, { leading: kept === element, last: following === stop });
          if (kept === element) kept = following;
        }
      }
      element = following;
    }
  }

  private fillNull(node: Node, state: PlanState): void {
    const { creationsAnew: creations } = this.plan.at(state);
    if (creations.length === 0) return;
    this.witness?.lacking(node, creations, undefined, this.record);
    const constant = this.creations.constantOf(creations);
    const members = constant ? '' : this.creations.members(creations, this.record);
    if (constant ? constant.steps.length === 0 : members === '') return;
    const piece = constant?.inBraces ?? this.creations.pieceOf(`{${members}}`);
    if (constant) this.reportCreated(constant.steps);
    this.splicer.replace(startOf(this.doc, node), endOf(this.doc, node), piece);
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

  /** Cuts a child of a container, from its element or name to where the next one begins, with one comma. */
  private cut(first: Node, next: number, place: { readonly leading: boolean; readonly last: boolean }): void {
    const { start, end } = cutOf(this.doc, first, next, place);
    this.splicer.replace(start, end, NOTHING);
    this.isLeaving = false;
  }

  /** The step that sets an absent property. */
  private creating(state: PlanState): PlanStep | undefined {
    const { onAbsent } = this.plan.at(state);
    if (onAbsent.isEmpty) return undefined;
    const step = this.firstEffective(onAbsent.for(this.record), createsSomething);
    if (step?.action.created === undefined) return undefined;
    this.observer.changed('created', step.policies, this.recordNode);
    return step;
  }

  /**
   * The first step whose condition holds and that is not in dry run.
   *
   * @param wouldChange whether a step would have done anything here, were it not in dry run
   */
  private firstEffective(
    steps: readonly PlanStep[],
    wouldChange: (step: PlanStep) => boolean,
  ): PlanStep | undefined {
    for (const step of steps) {
      if (step.condition && !this.holds(step.condition)) continue;
      if (!step.dryRun) return step;
      if (this.record && wouldChange(step)) this.observer.skipped(step.dryRun, this.record);
    }
    return undefined;
  }

  /**
   * Adds the properties that an object lacks.
   *
   * @param isPresent which of them it has; undefined if it lacks them all
   * @param isCleared whether none of its own members stays
   */
  private create(
    object: Node,
    wanted: readonly Creation[],
    isPresent: readonly boolean[] | undefined,
    isCleared: boolean,
  ): void {
    const { doc, creations } = this;
    this.witness?.lacking(object, wanted, isPresent, this.record);
    const constant = isPresent ? undefined : creations.constantOf(wanted);
    const members = constant ? '' : creations.members(wanted, this.record, isPresent);
    if (constant ? constant.steps.length === 0 : members === '') return;
    if (constant) this.reportCreated(constant.steps);
    const at = isEmpty(doc, object) ? startOf(doc, object) + 1 : endBefore(doc, endOf(doc, object) - 1);
    const ready = isCleared ? constant?.alone : constant?.after;
    this.splicer.replace(at, at, ready ?? creations.pieceOf(isCleared ? members : `,${members}`));
  }

  private reportCreated(steps: readonly PlanStep[]): void {
    for (const { policies } of steps) this.observer.changed('created', policies, this.recordNode);
  }
}

/** Of each property that may be created, until it is met. */
function isMissing(): boolean {
  return false;
}

/** What is tried on a value of a kind. */
function stepsOn(kind: number, plan: StatePlan): StepList {
  return kind < Kind.null ? plan.onScalar : kind === Kind.object ? plan.onObject : plan.onOther;
}

/** On a value that is present every action counts, also one that leaves it as it is. */
function changesAnything(): boolean {
  return true;
}

function createsSomething({ action }: PlanStep): boolean {
  return action.created !== undefined;
}
