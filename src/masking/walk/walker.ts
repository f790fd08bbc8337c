import type { Edit } from '../../json/edits.ts';
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
import { stringAt } from '../../json/text.ts';
import type { ActionTexts } from '../actions/apply.ts';
import type { State } from '../path/automaton.ts';
import { lengthOf } from '../path/select.ts';
import type { Plan } from '../plan/plan.ts';
import type { RecordView } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';
import type { Observer } from './observer.ts';

/** Walks the properties of one record and notes what changes: each value is visited once (enforcement §6, §7). */
export class PropertyWalker {
  private readonly doc: Located;
  private readonly plan: Plan;
  private readonly texts: ActionTexts;
  private readonly edits: Edit[];
  private readonly observer: Observer;
  /** The record whose properties are walked; undefined above all records, where no rule has a condition. */
  private record: RecordView | undefined;

  constructor(doc: Located, plan: Plan, texts: ActionTexts, edits: Edit[], observer: Observer) {
    this.doc = doc;
    this.plan = plan;
    this.texts = texts;
    this.edits = edits;
    this.observer = observer;
  }

  walkRecord(record: RecordView, state: State): void {
    this.record = record;
    this.value(record.node, state);
    this.record = undefined;
  }

  /** Changes a value where a rule is about it; tells whether it did or one was applied that leaves it as it is. */
  change(node: Node, state: State): boolean {
    const kind = kindOf(this.doc, node);
    const { onScalar, onContainer } = this.plan.at(state);
    const steps = isContainer(kind) ? onContainer : onScalar;
    return !steps.isEmpty && this.tryEach(steps.for(this.record), node);
  }

  private value(node: Node, state: State): void {
    if (this.change(node, state)) return;
    const kind = kindOf(this.doc, node);
    if (kind === Kind.object) this.object(node, state);
    else if (kind === Kind.array) this.array(node, state);
    else if (kind === Kind.null) this.fillNull(node, state);
  }

  private object(object: Node, state: State): void {
    const { doc } = this;
    const { creatable } = this.plan.at(state);
    const present = new Set<string>();
    const stop = behind(doc, object);
    let last = object;
    for (let name = firstIn(object); name < stop; name = behind(doc, last)) {
      last = name + 1;
      const next = state.member(doc, name);
      if (next === undefined) continue;
      if (creatable.length > 0) present.add(stringAt(doc, name));
      this.value(last, next);
    }
    const absent = creatable.filter((name) => !present.has(name));
    if (absent.length > 0) this.insert(object, last, this.created(absent, state));
  }

  private array(array: Node, state: State): void {
    const { doc } = this;
    const stop = behind(doc, array);
    const length = lengthOf(doc, array);
    for (let element = firstIn(array), index = 0; element < stop; element = behind(doc, element), index++) {
      const next = state.element(index, length);
      if (next !== undefined) this.value(element, next);
    }
  }

  private fillNull(node: Node, state: State): void {
    const members = this.created(this.plan.at(state).creatable, state);
    if (members.length === 0) return;
    this.edits.push({
      start: startOf(this.doc, node),
      end: endOf(this.doc, node),
      text: Buffer.from(objectOf(members)),
    });
  }

  /** Applies the first step whose condition holds; those in dry run are noted and passed over. */
  private tryEach(steps: readonly PlanStep[], node: Node): boolean {
    const step = this.firstEffective(steps, () => true);
    if (step === undefined) return false;
    const { text, effect } = this.texts.apply(step.action, this.doc, node);
    if (effect === 'unchanged') return true;
    this.edits.push({ start: startOf(this.doc, node), end: endOf(this.doc, node), text });
    this.observer.changed(effect, step.policies, this.record);
    return true;
  }

  /** The members to be created for names that an object lacks, as JSON. */
  private created(names: readonly string[], state: State): string[] {
    return names.flatMap((name) => {
      const next = state.memberNamed(name);
      const value = next && this.absentValue(next);
      return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
    });
  }

  /** What is set where there is nothing, as JSON: the value itself, or an object with what is set below. */
  private absentValue(state: State): string | undefined {
    const { onAbsent, creatable } = this.plan.at(state);
    const step = this.firstEffective(onAbsent.for(this.record), ({ action }) => action.kind === 'literal');
    if (step?.action.kind === 'literal') {
      this.observer.changed('set', step.policies, this.record);
      return JSON.stringify(step.action.text);
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
    this.edits.push({ start: at, end: at, text });
  }
}

function objectOf(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}
