import {
  after,
  CONTAINER_WORDS,
  endOf,
  firstIn,
  isEmpty,
  Kind,
  startOfNext,
  valueOf,
  type JsonDocument,
  type Node,
} from '../json/document.ts';
import { ElementStates } from '../paths/element-states.ts';
import { stateAtObject } from '../paths/sole-element.ts';
import { mayHoldFraction } from '../paths/wholes.ts';
import type { Creation, Plan, PlanState, StatePlan } from '../plan/plan.ts';
import { StepList, type PlanStep } from '../plan/step.ts';
import type { Root } from '../roots.ts';
import type { Changes } from './changes.ts';
import { Creations } from './creations.ts';
import { VALUE_WORDS, type Pace } from './pace.ts';
import type { RecordShape } from './record-shape.ts';
import { UsualShape } from './usual-shape.ts';

const NO_STEPS: readonly PlanStep[] = [];

/** How many elements count as done at once. */
const ELEMENTS_PER_LOOK = 16;

/** What is left of an object after some of its members. */
interface LeftOfObject {
  readonly name: Node;
  /** The first name that stays, as far as is known. */
  readonly kept: Node;
  /** Which of the properties that may be created were met; undefined if none was. */
  readonly isPresent: boolean[] | undefined;
  readonly missing: number;
}

/** What is left of an array after some of its elements. */
interface LeftOfElements {
  readonly element: Node;
  /** The first element that stays, as far as is known. */
  readonly kept: Node;
}

interface LeftOfArray extends LeftOfElements {
  /** Where the array in it ends that was entered last from itself; the array if none was. */
  readonly inner: Node;
}

interface LeftOfIndexed extends LeftOfElements {
  readonly index: number;
}

/** The usual shapes of the records at a state, as long as plans keep what they try there. */
const USUAL = new WeakMap<StatePlan, UsualShape>();

// What is exported is looked up each time, what is not is a constant in compiled code.
const NULL = Kind.null;
const OBJECT = Kind.object;
const ARRAY = Kind.array;

/** Walks the properties of one record and has them changed: each value is visited once (docs/enforcement.md). */
export class PropertyWalker {
  private readonly doc: JsonDocument;
  private readonly plan: Plan;
  private readonly changes: Changes;
  private readonly pace: Pace;
  /** Whether nobody follows each decision. */
  private readonly isUnwatched: boolean;
  private readonly creations: Creations;
  /** How many words a value that is no scalar takes at most if nothing is in it, and nothing is created there. */
  private readonly nothing: number;
  /** What {@link joined} knows, for steps from above that it was asked for last. */
  private above: readonly PlanStep[] = NO_STEPS;
  private joins: Map<StepList, StepList> | undefined;
  /** What {@link usualAt} was asked for last, and knows. */
  private tried: StatePlan | undefined;
  private usual: UsualShape | undefined;

  constructor(changes: Changes, pace: Pace) {
    this.doc = changes.doc;
    this.plan = changes.plan;
    this.changes = changes;
    this.pace = pace;
    this.isUnwatched = changes.witness === undefined;
    this.creations = new Creations(changes, pace);
    this.nothing = changes.plan.creates ? 0 : CONTAINER_WORDS;
  }

  /**
   * Walks a record: an object, or an element of the root that is none.
   *
   * @param state the state in the record
   * @param above steps from above the record that are decided for each record
   * @param next where what follows the record begins, as {@link endBefore} takes it
   */
  walkRecord(node: Node, root: Root, state: PlanState, above: readonly PlanStep[], next: number): void {
    const { changes, doc } = this;
    const word = doc.tape[node]!;
    const kind = word & 7;
    const tried = this.plan.at(state);
    const own = above.length === 0 ? stepsOn(kind, tried) : this.joined(above, stepsOn(kind, tried));
    if (own.isEmpty && (kind !== OBJECT || (tried.creations.length === 0 && isEmpty(doc, node)))) return;
    changes.enter(node, root);
    if (own.fixed !== undefined && kind < NULL && this.isUnwatched)
      changes.changeFixed(own.fixed, word, next);
    else if (!changes.change(own, node, next) && kind === OBJECT) this.record(node, state);
    if (this.pace.isOver) this.leaveRecord();
    else changes.leave();
  }

  /** By itself, so that what runs for each record stays small. */
  private leaveRecord(): void {
    const { pace, changes } = this;
    if (pace.isDone) changes.leave();
    else pace.later(() => changes.leave());
  }

  /**
   * Walks records that follow one another in an array and are `{}`, and to which only what they lack is done.
   *
   * @param stop the node after the array
   * @returns the element after those that were walked, which may be the first
   */
  walkEmptyRun(first: Node, root: Root, lacking: readonly Creation[], stop: Node): Node {
    return this.creations.fillRun(first, stop, root, lacking);
  }

  private record(record: Node, state: PlanState): void {
    if (isEmpty(this.doc, record)) {
      const { creations } = this.plan.at(state);
      if (creations.length === 0) return;
      if (!this.creations.prepare(creations)) return this.pace.later(() => this.record(record, state));
      this.creations.addTo(record, creations, undefined, true);
      return;
    }
    const usual = this.isUnwatched ? this.usualAt(this.plan.at(state)) : undefined;
    if (usual !== undefined && usual.plan !== this.plan) usual.takeOver(this.doc, this.plan, record, state);
    if (usual?.shape?.fits(this.doc, record) === true) {
      usual.isUsed = true;
      this.changes.resembles(usual.shape);
      this.shaped(record, usual.shape);
      return;
    }
    usual?.meet(this.doc, this.plan, record, state);
    this.object(record, state);
  }

  /** Changes a record of a known shape. */
  private shaped(record: Node, shape: RecordShape, from = 0): void {
    const { changes, lacking } = shape;
    const { tape } = this.doc;
    for (let i = from; i < changes.length; i++) {
      const { place, next, isLast, state, steps, fixed } = changes[i]!;
      const word = tape[record + place]!;
      const following = tape[record + next]!;
      const end = isLast ? following : following >>> 3;
      if (fixed !== undefined) this.changes.changeFixed(fixed, word, end);
      else if (steps !== undefined) this.changes.change(steps, record + place, end);
      else {
        this.value(record + place, word & 7, state, end);
        if (this.pace.isOver) return this.leaveShaped(record, shape, i + 1);
      }
    }
    if (!lacking) return;
    if (!this.creations.prepare(lacking.creations)) return this.leaveShaped(record, shape, changes.length);
    this.creations.addTo(record, lacking.creations, lacking.isPresent, false);
  }

  private leaveShaped(record: Node, shape: RecordShape, from: number): void {
    this.pace.later(() => this.shaped(record, shape, from));
  }

  private usualAt(tried: StatePlan): UsualShape {
    if (this.usual !== undefined && this.tried === tried) return this.usual;
    const known = USUAL.get(tried);
    const usual = known ?? new UsualShape();
    if (known === undefined) USUAL.set(tried, usual);
    this.tried = tried;
    this.usual = usual;
    return usual;
  }

  /** Steps from above the records with those at one, which are the same for most records. */
  private joined(above: readonly PlanStep[], steps: StepList): StepList {
    if (above !== this.above || this.joins === undefined) this.joins = new Map();
    this.above = above;
    const known = this.joins.get(steps);
    if (known) return known;
    const joined = StepList.of([...above, ...steps.all]);
    this.joins.set(steps, joined);
    return joined;
  }

  private value(node: Node, kind: number, from: PlanState, next: number): void {
    this.pace.spend(VALUE_WORDS);
    const state = from.awaitsElement ? stateAtObject(this.doc, node, from) : from;
    if (this.changes.change(stepsOn(kind, this.plan.at(state)), node, next)) return;
    if (kind === OBJECT) this.object(node, state);
    else if (kind === ARRAY) this.array(node, state);
    else if (kind === NULL) this.fillNull(node, state);
  }

  private fillNull(node: Node, state: PlanState): void {
    const tried = this.plan.at(state);
    if (tried.creationsAnew.length === 0) return;
    if (this.creations.prepare(tried.creationsAnew)) this.creations.fillNull(node, tried);
    else this.pace.later(() => this.fillNull(node, state));
  }

  private object(object: Node, state: PlanState, left?: LeftOfObject): void {
    const { doc, plan, changes, pace, isUnwatched, nothing } = this;
    const { creations, places } = plan.at(state);
    let isPresent = left?.isPresent;
    let missing = left?.missing ?? creations.length;
    // Read here and not by functions: it is the loop that everything passes through.
    const { tape } = doc;
    const members = state.membersIn(doc);
    const stop = tape[object + 1]!;
    const first = firstIn(object);
    let kept = left?.kept ?? first;
    let name = left?.name ?? first;
    while (name < stop && !pace.isOver) {
      const value = valueOf(name);
      const word = tape[value]!;
      const kind = word & 7;
      const following = kind >= OBJECT ? tape[value + 1]! : value + 1;
      let next = members[tape[name + 1]!];
      if (next === undefined) {
        pace.spend(VALUE_WORDS);
        const isLast = kind < NULL || following - value <= nothing || this.isLast(state, value);
        next = state.member(doc, name, isLast);
      }
      if (next) {
        const tried = plan.at(next);
        if (missing > 0 && tried.isCreatable) {
          const place = places.get(doc, name);
          if (place !== undefined && isPresent?.[place] !== true) {
            missing--;
            if (missing > 0) {
              isPresent ??= creations.map(isMissing);
              isPresent[place] = true;
            }
          }
        }
        const end = following < stop ? tape[following]! >>> 3 : tape[object + 2]!;
        const fixed = kind < NULL && isUnwatched ? tried.onScalar.fixed : undefined;
        if (fixed !== undefined) changes.changeFixed(fixed, word, end);
        else {
          this.value(value, kind, next, end);
          if (changes.isLeaving) {
            changes.cut(name, end, kept === name, following === stop);
            if (kept === name) kept = following;
          }
        }
      }
      name = following;
    }
    if (pace.isOver || (missing > 0 && !this.creations.prepare(creations)))
      return this.leaveObject(object, state, { name, kept, isPresent, missing });
    if (missing > 0) this.creations.addTo(object, creations, isPresent, kept === stop);
  }

  private leaveObject(object: Node, state: PlanState, left: LeftOfObject): void {
    this.pace.later(() => this.object(object, state, left));
  }

  /** Whether nothing in a value, also nothing that is created, goes on with a number or an instant that a name may begin. */
  private isLast(state: PlanState, value: Node): boolean {
    const { doc, nothing } = this;
    if (!state.tellsLast || nothing === 0 || (doc.tape[value]! & 7) !== OBJECT) return false;
    return !mayHoldFraction(doc, value);
  }

  private array(array: Node, state: PlanState): void {
    if (state.isIndexed) return this.indexed(array, new ElementStates(state, this.doc, array));
    const every = state.anyElement();
    if (every !== undefined) this.elements(array, every);
  }

  private elements(array: Node, every: PlanState, left?: LeftOfArray): void {
    const { doc, plan, changes, pace } = this;
    const { tape } = doc;
    const stop = tape[array + 1]!;
    const { onScalar } = plan.at(every);
    const passesScalars = onScalar.isEmpty;
    const fixed = this.isUnwatched ? onScalar.fixed : undefined;
    const isFlat = this.isFlat(every);
    const first = firstIn(array);
    let element = left?.element ?? first;
    let kept = left?.kept ?? first;
    let inner = left?.inner ?? array;
    let changed = 0;
    while (element < stop && !pace.isOver) {
      if (changed >= ELEMENTS_PER_LOOK) {
        pace.spend(changed * VALUE_WORDS);
        changed = 0;
      }
      const word = tape[element]!;
      const kind = word & 7;
      const following = kind >= OBJECT ? tape[element + 1]! : element + 1;
      if (kind === ARRAY && isFlat) {
        inner = Math.max(inner, following);
        element = firstIn(element);
        continue;
      }
      if (kind < NULL && fixed !== undefined) {
        const run = changes.changeRun(fixed, element, stop, false);
        if (run > 0) {
          changed++;
          element += run;
          continue;
        }
      }
      if (kind >= NULL || !passesScalars) {
        const next =
          element < inner
            ? endOf(doc, element)
            : following < stop
              ? tape[following]! >>> 3
              : tape[array + 2]!;
        changed++;
        if (kind < NULL && fixed !== undefined) changes.changeFixed(fixed, word, next);
        else {
          if (kind < NULL) changes.change(onScalar, element, next);
          else this.value(element, kind, every, next);
          if (changes.isLeaving) {
            changes.cut(element, next, kept === element, following === stop);
            if (kept === element) kept = following;
          }
        }
      }
      element = following;
    }
    if (pace.isOver) this.leaveElements(array, every, { element, kept, inner });
  }

  private leaveElements(array: Node, every: PlanState, left: LeftOfArray): void {
    this.pace.later(() => this.elements(array, every, left));
  }

  /** Whether the elements of arrays in an array are changed as its own, however deep, and none is removed. */
  private isFlat(every: PlanState): boolean {
    const { plan } = this;
    if (plan.removes || every.isIndexed || every.anyElement() !== every) return false;
    return plan.at(every).onOther.isEmpty;
  }

  /** The same where the index of an element decides what is done to it. */
  private indexed(array: Node, states: ElementStates<StatePlan>, left?: LeftOfIndexed): void {
    const { doc, changes, pace, plan, isUnwatched } = this;
    const { tape } = doc;
    const stop = after(doc, array);
    const first = firstIn(array);
    let element = left?.element ?? first;
    let kept = left?.kept ?? first;
    let index = left?.index ?? 0;
    while (element < stop && !pace.isOver) {
      if (index % ELEMENTS_PER_LOOK === 0) pace.spend(ELEMENTS_PER_LOOK * VALUE_WORDS);
      const word = tape[element]!;
      const kind = word & 7;
      const following = kind >= OBJECT ? tape[element + 1]! : element + 1;
      const next = states.at(index);
      if (next !== undefined) {
        const end = startOfNext(doc, following, array);
        const fixed = kind < NULL && isUnwatched ? plan.at(next).onScalar.fixed : undefined;
        if (fixed !== undefined) changes.changeFixed(fixed, word, end);
        else {
          this.value(element, kind, next, end);
          if (changes.isLeaving) {
            changes.cut(element, end, kept === element, following === stop);
            if (kept === element) kept = following;
          }
        }
      }
      element = following;
      index++;
    }
    if (pace.isOver) this.leaveIndexed(array, states, { element, kept, index });
  }

  private leaveIndexed(array: Node, states: ElementStates<StatePlan>, left: LeftOfIndexed): void {
    this.pace.later(() => this.indexed(array, states, left));
  }
}

/** What is tried on a value of a kind. */
function stepsOn(kind: number, plan: StatePlan): StepList {
  return kind < NULL ? plan.onScalar : kind === OBJECT ? plan.onObject : plan.onOther;
}

/** Of each property that may be created, until it is met. */
function isMissing(): boolean {
  return false;
}
