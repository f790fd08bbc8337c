import {
  behind,
  endOf,
  firstIn,
  isContainer,
  isEmpty,
  Kind,
  kindOf,
  startOf,
  type Located,
  type Node,
} from '../../json/located.ts';
import { lengthOf } from '../path/select.ts';
import type { Splicer } from '../../json/splicer.ts';
import type { Plan, PlanState } from '../plan/plan.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep, StepList } from '../plan/step.ts';
import type { Observer } from './observer.ts';

/** Walks the properties of one record and notes what changes: each value is visited once (enforcement §6, §7). */
export class PropertyWalker {
  private readonly doc: Located;
  private readonly plan: Plan;
  private readonly splicer: Splicer;
  private readonly observer: Observer;
  /** The record whose properties are walked; undefined above all records, where no rule has a condition. */
  private record: RecordView | undefined;

  constructor(doc: Located, plan: Plan, splicer: Splicer, observer: Observer) {
    this.doc = doc;
    this.plan = plan;
    this.splicer = splicer;
    this.observer = observer;
  }

  walkRecord(record: RecordView, state: PlanState): void {
    this.record = record;
    this.value(record.node, state);
    this.record = undefined;
  }

  /** Changes a value where a rule is about it; tells whether it did or one was applied that leaves it as it is. */
  change(node: Node, kind: Kind, state: PlanState): boolean {
    const { onScalar, onContainer } = this.plan.at(state);
    const steps = isContainer(kind) ? onContainer : onScalar;
    return !steps.isEmpty && this.tryEach(steps, node);
  }

  private value(node: Node, state: PlanState): void {
    const kind = kindOf(this.doc, node);
    if (this.change(node, kind, state)) return;
    if (kind === Kind.object) this.object(node, state);
    else if (kind === Kind.array) this.array(node, state);
    else if (kind === Kind.null) this.fillNull(node, state);
  }

  private object(object: Node, state: PlanState): void {
    const { doc } = this;
    const { creatable, creatableIndex } = this.plan.at(state);
    const isPresent: boolean[] = [];
    let missing = creatable.length;
    const stop = behind(doc, object);
    let last = object;
    for (let name = firstIn(object); name < stop; name = behind(doc, last)) {
      last = name + 1;
      const next = state.member(doc, name);
      if (next === undefined) continue;
      if (missing > 0) {
        const place = creatableIndex.get(doc, name);
        if (place !== undefined && !isPresent[place]) {
          isPresent[place] = true;
          missing--;
        }
      }
      this.value(last, next);
    }
    if (missing === 0) return;
    const absent = creatable.filter((_name, place) => !isPresent[place]);
    this.insert(object, last, this.created(absent, state));
  }

  private array(array: Node, state: PlanState): void {
    const { doc } = this;
    const stop = behind(doc, array);
    const length = lengthOf(doc, array);
    for (let element = firstIn(array), index = 0; element < stop; element = behind(doc, element), index++) {
      const next = state.element(index, length);
      if (next !== undefined) this.value(element, next);
    }
  }

  private fillNull(node: Node, state: PlanState): void {
    const members = this.created(this.plan.at(state).creatable, state);
    if (members.length === 0) return;
    this.splicer.replace(startOf(this.doc, node), endOf(this.doc, node), Buffer.from(objectOf(members)));
  }

  /** Applies the first step whose condition holds; those in dry run are noted and passed over. */
  private tryEach(steps: StepList, node: Node): boolean {
    const step = steps.sure ?? this.firstEffective(steps.for(this.record), changesAnything);
    if (step === undefined) return false;
    const end = endOf(this.doc, node);
    const result = step.action.apply(this.doc, node, end);
    if (result.effect === 'unchanged') return true;
    this.splicer.replace(startOf(this.doc, node), end, result.text, result.length);
    this.observer.changed(result.effect, step.policies, this.record);
    return true;
  }

  /** The members to be created for names that an object lacks, as JSON. */
  private created(names: readonly string[], state: PlanState): string[] {
    return names.flatMap((name) => {
      const next = state.memberNamed(name);
      const value = next && this.absentValue(next);
      return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
    });
  }

  /** What is set where there is nothing, as JSON: the value itself, or an object with what is set below. */
  private absentValue(state: PlanState): string | undefined {
    const { onAbsent, creatable } = this.plan.at(state);
    const step = this.firstEffective(onAbsent.for(this.record), createsSomething);
    if (step?.action.created !== undefined) {
      this.observer.changed('set', step.policies, this.record);
      return step.action.created;
    }
    const members = this.created(creatable, state);
    return members.length === 0 ? undefined : objectOf(members);
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
      if (step.condition && !(this.record && step.condition.holds(this.record))) continue;
      if (!step.dryRun) return step;
      if (this.record && wouldChange(step)) this.observer.skipped(step.dryRun, this.record);
    }
    return undefined;
  }

  private insert(object: Node, lastValue: Node, members: readonly string[]): void {
    if (members.length === 0) return;
    const { doc } = this;
    const at = isEmpty(doc, object) ? startOf(doc, object) + 1 : endOf(doc, lastValue);
    const text = Buffer.from((isEmpty(doc, object) ? '' : ',') + members.join(','));
    this.splicer.replace(at, at, text);
  }
}

/** On a value that is present every action counts, also one that leaves it as it is. */
function changesAnything(): boolean {
  return true;
}

function createsSomething({ action }: PlanStep): boolean {
  return action.created !== undefined;
}

function objectOf(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}
