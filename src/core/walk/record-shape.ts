import { after, elementsOf, Kind, namesOf, type JsonDocument, type Node } from '../json/document.ts';
import { NO_KEY_ID } from '../json/key-interner.ts';
import { stateAtObject } from '../paths/sole-element.ts';
import type { Creation, Plan, PlanState, StatePlan } from '../plan/plan.ts';
import type { RecordLikeness } from '../plan/record-class.ts';
import type { FixedChange, StepList } from '../plan/step.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const NULL = Kind.null;
const OBJECT = Kind.object;
const ARRAY = Kind.array;
const LAST_VALUE = Kind.false;

/** The longest record that has a shape, in words of the tape. */
const MAX_WORDS = 1024;

/** To how many names there has to be a change, so that a shape takes less time than a look at each name. */
const NAMES_PER_CHANGE = 4;

/** What is done to one value of a record. Places are words of the tape, counted from the record on. */
export interface ShapedChange {
  readonly place: number;
  /** The word that says where what follows the value begins: of what comes next, or of what holds the value. */
  readonly next: number;
  /** Whether nothing comes next in what holds the value. */
  readonly isLast: boolean;
  readonly state: PlanState;
  /** The place of that state among those at which something is tried; -1 if it is none of them. */
  readonly tried: number;
  /** What is tried on the value; undefined unless it is a scalar other than null in all records of the shape. */
  readonly steps: StepList | undefined;
  readonly fixed: FixedChange | undefined;
}

/** The properties that a record lacks. */
interface Lacking {
  readonly creations: readonly Creation[];
  readonly isPresent: readonly boolean[] | undefined;
}

/**
 * The names and the kinds of values of one record, and what is done in records that have the same: that need not be looked up
 * again, value by value. Values of the same kind may be changed differently, as conditions are asked of each record.
 */
export class RecordShape implements RecordLikeness {
  unreadIn = -1;
  readonly changes: readonly ShapedChange[];
  /** Undefined if the record lacks none that may be created. */
  readonly lacking: Lacking | undefined;
  /** The states that its properties lead to, and what is tried at each. */
  private readonly states: readonly PlanState[];
  private readonly tried: readonly StatePlan[];
  private readonly outline: Outline;
  // The parts of the outline, as they are read for each record.
  private readonly generation: number;
  private readonly words: number;
  private readonly names: readonly number[];
  private readonly kinds: readonly number[];
  private readonly ends: readonly number[];

  constructor(outline: Outline, { changes, lacking, states, tried }: Done) {
    this.outline = outline;
    this.generation = outline.generation;
    this.words = outline.words;
    this.names = outline.names;
    this.kinds = outline.kinds;
    this.ends = outline.ends;
    this.changes = changes;
    this.lacking = lacking;
    this.states = states;
    this.tried = tried;
  }

  /**
   * What another plan does in such records.
   *
   * @returns undefined if the plan has to look at a record for that
   */
  under(plan: Plan): RecordShape | undefined {
    const { lacking, outline, states } = this;
    let tried: StatePlan[] | undefined;
    for (let at = 0; at < states.length; at++) {
      const before = this.tried[at]!;
      const now = plan.at(states[at]!);
      if (now === before) continue;
      if (!haveSameShape(now, before)) return undefined;
      tried ??= this.tried.slice();
      tried[at] = now;
    }
    if (tried === undefined) return this;
    const changes = this.changes.slice();
    for (let at = 0; at < changes.length; at++) {
      const change = changes[at]!;
      const now = tried[change.tried];
      if (now === undefined) return undefined;
      changes[at] = changedBy(change, now);
    }
    return new RecordShape(outline, { changes, lacking, states, tried });
  }

  /** Whether a record has this shape: all that decides what is at which place of it is compared. */
  fits({ tape, generation }: JsonDocument, record: Node): boolean {
    if (generation !== this.generation || tape[record + 1]! - record !== this.words) return false;
    const { names, kinds, ends } = this;
    for (let at = 0; at < names.length; at += 2)
      if (tape[record + names[at]!] !== names[at + 1]) return false;
    for (let at = 0; at < ends.length; at += 2)
      if (tape[record + ends[at]!]! - record !== ends[at + 1]) return false;
    for (let at = 0; at < kinds.length; at += 3) {
      const kind = tape[record + kinds[at]!]! & 7;
      if (kind < kinds[at + 1]! || kind > kinds[at + 2]!) return false;
    }
    return true;
  }
}

/** A change of the same value by what another plan tries at its state. */
function changedBy(change: ShapedChange, { onScalar: steps }: StatePlan): ShapedChange {
  const { place, next, isLast, state, tried, steps: before } = change;
  if (before === undefined || steps === before) return change;
  return { place, next, isLast, state, tried, steps, fixed: steps.fixed };
}

/** Whether a record has the same shape with either, as {@link ShapeReader} finds it. */
function haveSameShape(a: StatePlan, b: StatePlan): boolean {
  return (
    a.creations === b.creations &&
    a.creationsAnew === b.creationsAnew &&
    a.isCreatable === b.isCreatable &&
    areAlike(a.onScalar, b.onScalar) &&
    areAlike(a.onObject, b.onObject) &&
    areAlike(a.onOther, b.onOther)
  );
}

function areAlike(a: StepList, b: StepList): boolean {
  return a === b || (a.isEmpty === b.isEmpty && a.removes === b.removes);
}

/** What decides whether a record has a shape. */
interface Outline {
  readonly generation: number;
  readonly words: number;
  /** Places of ids of names, each with the id. */
  readonly names: readonly number[];
  /** Places of values, each with its least and its greatest kind. */
  readonly kinds: readonly number[];
  /** Places of ends of containers, each with the place after the container. */
  readonly ends: readonly number[];
}

/** What a plan does in records of a shape. */
interface Done {
  readonly changes: readonly ShapedChange[];
  readonly lacking: Lacking | undefined;
  readonly states: readonly PlanState[];
  readonly tried: readonly StatePlan[];
}

interface Found {
  readonly names: number[];
  readonly kinds: number[];
  readonly ends: number[];
  readonly changes: ShapedChange[];
  lacking: Lacking | undefined;
  readonly states: PlanState[];
  readonly tried: StatePlan[];
}

/**
 * Finds the shape of a record.
 *
 * @param state the state in the record
 * @returns undefined if it has none: not all of its names have an id, a rule may remove something, it is long, or little is done in it
 */
export function shapeOf(
  doc: JsonDocument,
  plan: Plan,
  record: Node,
  state: PlanState,
): RecordShape | undefined {
  const words = doc.tape[record + 1]! - record;
  if (words > MAX_WORDS) return undefined;
  const reader = new ShapeReader(doc, plan, record);
  if (!reader.readRecord(state)) return undefined;
  const { names, kinds, ends, changes } = reader.found;
  // Names that lead nowhere are passed as fast as they are compared.
  if (changes.length * NAMES_PER_CHANGE < names.length / 2) return undefined;
  const outline = { generation: doc.generation, words, names, kinds, ends };
  return new RecordShape(outline, reader.found);
}

/** Reads what is in a record. Methods say whether it may have a shape. */
class ShapeReader {
  readonly found: Found = {
    names: [],
    kinds: [],
    ends: [],
    changes: [],
    lacking: undefined,
    states: [],
    tried: [],
  };
  /** The place of each state. */
  private readonly places = new Map<PlanState, number>();
  private readonly doc: JsonDocument;
  private readonly plan: Plan;
  private readonly record: Node;

  constructor(doc: JsonDocument, plan: Plan, record: Node) {
    this.doc = doc;
    this.plan = plan;
    this.record = record;
  }

  private triedAt(state: PlanState): StatePlan {
    const { states, tried } = this.found;
    const known = this.places.get(state);
    if (known !== undefined) return tried[known]!;
    const found = this.plan.at(state);
    this.places.set(state, states.length);
    states.push(state);
    tried.push(found);
    return found;
  }

  readRecord(state: PlanState): boolean {
    const { creations } = this.triedAt(state);
    if (creations.length > 0) this.found.lacking = this.lackingIn(state);
    return this.readObject(this.record, state);
  }

  private lackingIn(state: PlanState): Lacking | undefined {
    const { doc, record } = this;
    const { creations, places } = this.triedAt(state);
    const isPresent = creations.map(() => false);
    for (const name of namesOf(doc, record)) {
      const next = state.member(doc, name);
      const place = next && this.triedAt(next).isCreatable ? places.get(doc, name) : undefined;
      if (place !== undefined) isPresent[place] = true;
    }
    if (isPresent.every(Boolean)) return undefined;
    return { creations, isPresent: isPresent.some(Boolean) ? isPresent : undefined };
  }

  private readObject(object: Node, state: PlanState): boolean {
    const { doc, found, record } = this;
    const { tape } = doc;
    for (const name of namesOf(doc, object)) {
      const id = tape[name + 1]!;
      if (id === NO_KEY_ID) return false;
      found.names.push(name + 1 - record, id);
      if (!this.readValue(name + 2, object, state.member(doc, name))) return false;
    }
    return true;
  }

  private readArray(array: Node, state: PlanState): boolean {
    return elementsOf(this.doc, array).every((element) => this.readValue(element, array, state));
  }

  private readValue(node: Node, holder: Node, from: PlanState | undefined): boolean {
    const { doc, record, found } = this;
    const kind = doc.tape[node]! & 7;
    if (kind >= OBJECT) found.ends.push(node + 1 - record, doc.tape[node + 1]! - record);
    const isValue = kind <= LAST_VALUE;
    // Nothing is done to null without a rule.
    const [least, greatest] = isValue
      ? [0, from ? LAST_VALUE : NULL]
      : [from || kind > NULL ? kind : 0, kind];
    found.kinds.push(node - record, least, greatest);
    if (from === undefined) return true;
    const state = stateAtObject(doc, node, from);
    const tried = this.triedAt(state);
    const steps = isValue ? tried.onScalar : kind === OBJECT ? tried.onObject : tried.onOther;
    if (steps.removes) return false;
    const isPassed = steps.isEmpty;
    if (isValue) return isPassed || this.add(node, holder, from, steps);
    if (isPassed && kind === NULL && tried.creationsAnew.length === 0) return true;
    if (isPassed && kind === OBJECT && tried.creations.length === 0) return this.readObject(node, state);
    if (isPassed && kind === ARRAY && !state.isIndexed) {
      const every = state.anyElement();
      return every === undefined || this.readArray(node, every);
    }
    return this.add(node, holder, from, undefined);
  }

  private add(node: Node, holder: Node, state: PlanState, steps: StepList | undefined): true {
    const following = after(this.doc, node);
    const isLast = following === after(this.doc, holder);
    const next = (isLast ? holder + 2 : following) - this.record;
    const place = node - this.record;
    const tried = this.places.get(state) ?? -1;
    this.found.changes.push({ place, next, isLast, state, tried, steps, fixed: steps?.fixed });
    return true;
  }
}
