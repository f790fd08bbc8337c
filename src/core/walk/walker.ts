import {
  behind,
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
  type Located,
  type Node,
} from '../json/located.ts';
import { lengthOf } from '../paths/select.ts';
import type { Splicer } from '../json/splicer.ts';
import type { Creation, Plan, PlanState } from '../plan/plan.ts';
import type { RecordCondition } from '../plan/record-condition.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep, StepList } from '../plan/step.ts';
import { Creations } from './creations.ts';
import type { Observer } from './observer.ts';

/** Walks the properties of one record and notes what changes: each value is visited once (enforcement §6, §7). */
export class PropertyWalker {
  private readonly doc: Located;
  private readonly plan: Plan;
  private readonly splicer: Splicer;
  private readonly observer: Observer;
  /** The record whose properties are walked; undefined above all records, where no rule has a condition. */
  private record: RecordView | undefined;
  /** The condition that the record was asked for last, and whether it holds. */
  private asked: RecordCondition | undefined;
  private answer = false;
  private readonly creations: Creations;

  constructor(doc: Located, plan: Plan, splicer: Splicer, observer: Observer) {
    this.doc = doc;
    this.plan = plan;
    this.splicer = splicer;
    this.observer = observer;
    this.creations = new Creations(plan, (state) => this.creating(state));
  }

  walkRecord(record: RecordView, state: PlanState): void {
    this.enter(record);
    this.value(record.node, Kind.object, state, endOf(this.doc, record.node));
    this.enter(undefined);
  }

  /**
   * Changes a value where a rule is about it; tells whether it did or one was applied that leaves it as it is.
   *
   * @param next where what follows it begins, as {@link endBefore} takes it
   */
  change(node: Node, kind: Kind, state: PlanState, next: number): boolean {
    const { onScalar, onContainer } = state.note ?? this.plan.at(state);
    const steps = isContainer(kind) ? onContainer : onScalar;
    const { only } = steps;
    if (only === undefined) return this.tryEach(steps, node, next);
    if (only.condition !== undefined && !this.holds(only.condition)) return false;
    this.apply(only, node, next);
    return true;
  }

  private tryEach(steps: StepList, node: Node, next: number): boolean {
    if (steps.isEmpty) return false;
    const step = this.firstEffective(steps.for(this.record), changesAnything);
    if (step === undefined) return false;
    this.apply(step, node, next);
    return true;
  }

  private enter(record: RecordView | undefined): void {
    this.record = record;
    this.asked = undefined;
  }

  private value(node: Node, kind: Kind, state: PlanState, next: number): void {
    if (this.change(node, kind, state, next)) return;
    if (kind >= Kind.null) this.inside(node, kind, state);
  }

  private inside(node: Node, kind: Kind, state: PlanState): void {
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
    for (let name = firstIn(object); name < stop;) {
      const value = valueOf(name);
      const kind = kindOf(doc, value);
      const following = isContainer(kind) ? tape[value + 1]! : value + 1;
      const met = members[tape[name + 1]!];
      const next = met === undefined ? state.member(doc, name) : met;
      if (next) {
        if (missing > 0 && plan.at(next).isCreatable) {
          const place = places.get(doc, name);
          if (place !== undefined && isPresent?.[place] !== true) {
            isPresent ??= Array.from({ length: creations.length }, () => false);
            isPresent[place] = true;
            missing--;
          }
        }
        this.value(value, kind, next, following < stop ? tape[following]! >>> 3 : tape[object + 2]!);
      }
      name = following;
    }
    if (missing === 0) return;
    const present = isPresent;
    if (present === undefined) this.create(object, creations, true);
    else
      this.create(
        object,
        creations.filter((_creation, place) => present[place] !== true),
        false,
      );
  }

  private array(array: Node, state: PlanState): void {
    const { doc } = this;
    const stop = behind(doc, array);
    const length = lengthOf(doc, array);
    for (let element = firstIn(array), index = 0; element < stop; index++) {
      const following = behind(doc, element);
      const next = state.element(index, length);
      if (next !== undefined)
        this.value(element, kindOf(doc, element), next, startOfNext(doc, following, array));
      element = following;
    }
  }

  private fillNull(node: Node, state: PlanState): void {
    const { creations } = this.plan.at(state);
    if (creations.length === 0) return;
    const constant = this.creations.constantOf(creations);
    const members = constant ? '' : this.creations.members(creations);
    if (constant ? constant.steps.length === 0 : members === '') return;
    const piece = constant?.inBraces ?? this.creations.pieceOf(`{${members}}`);
    if (constant) this.tellSet(constant.steps);
    this.splicer.replace(startOf(this.doc, node), endOf(this.doc, node), piece);
  }

  /** Neighbours tend to be under the same condition. */
  private holds(condition: RecordCondition): boolean {
    if (condition !== this.asked) {
      this.asked = condition;
      this.answer = this.record !== undefined && condition.holds(this.record);
    }
    return this.answer;
  }

  private apply(step: PlanStep, node: Node, next: number): void {
    const end = endBefore(this.doc, next);
    const result = step.action.apply(this.doc, node, end);
    if (result.effect === 'unchanged') return;
    this.splicer.replace(startOf(this.doc, node), end, result.text);
    this.observer.changed(result.effect, step.policies, this.record);
  }

  /** The step that sets an absent property. */
  private creating(state: PlanState): PlanStep | undefined {
    const { onAbsent } = this.plan.at(state);
    if (onAbsent.isEmpty) return undefined;
    const step = this.firstEffective(onAbsent.for(this.record), createsSomething);
    if (step?.action.created === undefined) return undefined;
    this.observer.changed('set', step.policies, this.record);
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

  /** Adds the properties that an object lacks. */
  private create(object: Node, absent: readonly Creation[], isConstant: boolean): void {
    const { doc, creations } = this;
    const constant = isConstant ? creations.constantOf(absent) : undefined;
    const members = constant ? '' : creations.members(absent);
    if (constant ? constant.steps.length === 0 : members === '') return;
    if (constant) this.tellSet(constant.steps);
    const isAlone = isEmpty(doc, object);
    const at = isAlone ? startOf(doc, object) + 1 : endBefore(doc, endOf(doc, object) - 1);
    const ready = isAlone ? constant?.alone : constant?.after;
    this.splicer.replace(at, at, ready ?? creations.pieceOf(isAlone ? members : `,${members}`));
  }

  private tellSet(steps: readonly PlanStep[]): void {
    for (const { policies } of steps) this.observer.changed('set', policies, this.record);
  }
}

/** On a value that is present every action counts, also one that leaves it as it is. */
function changesAnything(): boolean {
  return true;
}

function createsSomething({ action }: PlanStep): boolean {
  return action.created !== undefined;
}
