import { after, endOf, isEmpty, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { RootStates } from '../paths/root-states.ts';
import type { Plan, PlanState, RootPaths, StatePlan } from '../plan/plan.ts';
import type { RecordView, RecordViews, Subject } from '../plan/record.ts';
import type { PlanStep } from '../plan/step.ts';
import { stateAtObject } from '../paths/sole-element.ts';
import { hasRecords, recordsAt } from '../records.ts';
import { NO_STEP, type Root, type RootList } from '../roots.ts';
import type { Observer } from './observer.ts';
import { BareRecords } from './bare-records.ts';
import { ElementWalk, NO_RUNS, type ElementWalker, type Runs } from './element-walk.ts';
import { AboveRecords, NOTHING_INHERITED, skipAbove, type Inherited } from './inherited.ts';
import type { Pace } from './pace.ts';
import type { PropertyWalker } from './walker.ts';
import type { Changes } from './changes.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const OBJECT = Kind.object;
const ARRAY = Kind.array;
const NO_STEPS: readonly PlanStep[] = [];

/** Walks roots: finds the records, decides which stay, and has their properties walked (docs/enforcement.md#root-and-records). */
export class RootWalker implements ElementWalker {
  private readonly doc: JsonDocument;
  private readonly roots: RootList;
  private readonly plan: Plan;
  private readonly properties: PropertyWalker;
  private readonly changes: Changes;
  private readonly observer: Observer;
  private readonly views: RecordViews;
  private readonly pace: Pace;
  private readonly aboveRecords: AboveRecords;
  private readonly elementWalk: ElementWalk;
  /** Undefined if records without properties may differ, or somebody follows each decision. */
  private readonly bare: BareRecords | undefined;
  /** The plan's paths for the roots of this payload. */
  private paths: RootPaths | undefined;
  /** Where the paths lead at roots. */
  private followed:
    { readonly paths: RootPaths['paths']; readonly states: RootStates<StatePlan> } | undefined;
  /** The state at the root that was asked for last: that of the next one is most often the same. */
  private begun: { readonly from: PlanState | undefined; readonly state: PlanState | undefined } | undefined;

  constructor(
    subject: Subject,
    plan: Plan,
    properties: PropertyWalker,
    changes: Changes,
    observer: Observer,
    views: RecordViews,
    pace: Pace,
  ) {
    this.doc = subject.doc;
    this.roots = subject.roots;
    this.plan = plan;
    this.properties = properties;
    this.changes = changes;
    this.observer = observer;
    this.views = views;
    this.pace = pace;
    this.aboveRecords = new AboveRecords(plan, pace);
    this.elementWalk = new ElementWalk(this, pace, subject.doc);
    if (plan.filter.isActive && !plan.filter.isAboutAssets && observer.witness === undefined)
      this.bare = new BareRecords();
  }

  /** Whether a root stays: not if it is one record that has to go, or if a rule removes it. */
  admits(root: Root): boolean {
    const node = this.roots.nodeOf(root);
    if (!hasRecords(this.doc, node)) return true;
    const kind = kindOf(this.doc, node);
    const state = this.plan.removes ? this.stateAt(root) : undefined;
    if (kind !== OBJECT) return state === undefined || !this.isRemoved(node, root, state);
    if (!this.plan.filter.isActive && state === undefined) {
      this.observer.record();
      return true;
    }
    const record = this.views.of(node, root);
    if (!this.admitsRecord(record)) return false;
    const isRemoved = state && this.changes.removesRecord(record, this.rootRecordState(node, state));
    if (isRemoved === true) this.skipFilters(record);
    return isRemoved !== true;
  }

  /** Whether a rule removes a root that is an array: that has to be known before anything is written. */
  private isRemoved(node: Node, root: Root, state: PlanState): boolean {
    const { step, steps, inherited } = this.aboveRecords.at(state, NOTHING_INHERITED);
    const isRemoved = step !== undefined && this.changes.removes(step, node, () => steps);
    if (isRemoved) {
      this.skipIn(node, root, inherited);
      this.countIn(node);
    }
    return isRemoved;
  }

  /** Reports the records in an array that is changed as a whole. */
  private countIn(array: Node): void {
    const records = recordsAt(this.doc, array);
    while (records.next().done !== true) this.observer.record();
  }

  /** Walks a root that stays. */
  walk(root: Root): void {
    const { doc } = this;
    const node = this.roots.nodeOf(root);
    if (!hasRecords(doc, node)) return;
    const kind = kindOf(doc, node);
    const next = endOf(doc, node);
    const state = this.stateAt(root);
    if (kind !== OBJECT) return this.above(node, root, state, NOTHING_INHERITED, next);
    if (this.followsDryFilters) this.skipFilters(this.views.of(node, root));
    if (state) this.properties.walkRecord(node, root, this.rootRecordState(node, state), NO_STEPS, next);
  }

  /** The state at a root from which also paths that begin at records are followed. */
  private stateAt(root: Root): PlanState | undefined {
    if (this.plan.top === undefined) return undefined;
    const { roots } = this;
    if (roots.length === 1 && roots.stepTo(root) === NO_STEP) {
      const state = this.plan.atPayload(kindOf(this.doc, roots.nodeOf(root)) === Kind.array);
      if (state) return state;
    }
    this.paths ??= this.findPaths();
    const { paths, creators } = this.paths;
    const from = this.reached(root, paths);
    if (this.begun === undefined || this.begun.from !== from)
      this.begun = { from, state: paths.atRoot(from, creators) };
    return this.begun.state;
  }

  private findPaths(): RootPaths {
    return this.plan.forRoots((paths) => this.statesAtRoots(paths));
  }

  private *statesAtRoots(
    paths: RootPaths['paths'],
  ): Generator<{ readonly state: PlanState; readonly isArray: boolean }> {
    for (let root = 0; root < this.roots.length; root++) {
      const node = this.roots.nodeOf(root);
      const state = hasRecords(this.doc, node) ? this.reached(root, paths) : undefined;
      if (state) yield { state, isArray: kindOf(this.doc, node) === ARRAY };
    }
  }

  /** The state at a root, reached from the payload along the root's own route. */
  private reached(root: Root, paths: RootPaths['paths']): PlanState | undefined {
    if (this.followed?.paths !== paths)
      this.followed = { paths, states: new RootStates(this.doc, this.roots, paths.top) };
    const state = this.followed.states.at(root);
    return state && stateAtObject(this.doc, this.roots.nodeOf(root), state);
  }

  /** Walks a root that is no object, or an array in it. */
  private above(node: Node, root: Root, state: PlanState | undefined, from: Inherited, next: number): void {
    const isArray = kindOf(this.doc, node) === ARRAY;
    if (state === undefined) {
      if (isArray) this.elements(node, root, undefined, from);
      return;
    }
    const { step, steps, inherited } = this.aboveRecords.at(state, from);
    if (step) this.skipIn(node, root, inherited);
    if (step && isArray) this.countIn(node);
    if (steps.length > 0) this.changes.applyAbove(step, node, next, steps);
    if (!step && isArray) this.elements(node, root, state, inherited);
  }

  /** Reports, for each record in a value that is changed as a whole, what rules in dry run would have done. */
  private skipIn(node: Node, root: Root, inherited: Inherited): void {
    const { filter } = this.plan;
    if (inherited.skipped.length === 0 && !filter.hasDryRuns) return;
    for (const element of recordsAt(this.doc, node)) {
      if (!this.observer.followsDryRuns) return;
      const record = this.views.of(element, root);
      if (filter.isActive && !filter.keeps(record)) continue;
      this.skipFilters(record);
      skipAbove(this.observer, record, inherited);
    }
  }

  private elements(array: Node, root: Root, state: PlanState | undefined, from: Inherited): void {
    this.elementWalk.walk(array, root, state, from);
  }

  isFlat(every: PlanState | undefined, from: Inherited): boolean {
    const { plan, observer } = this;
    if (plan.filter.isActive || plan.removes || observer.witness !== undefined) return false;
    if (every === undefined) return from.skipped.length === 0;
    return !every.isIndexed && every.anyElement() === every && plan.at(every).onPlace.isEmpty;
  }

  runsIn(every: PlanState | undefined, { perRecord, skipped }: Inherited): Runs {
    if (every === undefined || perRecord.length > 0 || skipped.length > 0) return NO_RUNS;
    const state = every.inRecord();
    // An object without properties is a list of one.
    const { onObject, creations } = this.plan.at(state.awaitsElement ? state.atSoleElement() : state);
    return {
      scalars: this.plan.at(state).onScalar.fixed,
      empty: onObject.isEmpty && creations.length > 0 ? creations : undefined,
    };
  }

  run(first: Node, stop: Node, root: Root, { scalars, empty }: Runs): Node {
    let next = first;
    if (kindOf(this.doc, first) !== OBJECT)
      next = scalars ? first + this.changes.changeRun(scalars, first, stop, true) : first;
    else if (empty) next = this.properties.walkEmptyRun(first, root, empty, stop);
    for (let node = first; node < next; node = after(this.doc, node)) this.observer.record();
    return next;
  }

  pass(): void {
    this.observer.record();
  }

  cut(element: Node, next: number, isLeading: boolean, isLast: boolean): void {
    this.changes.cut(element, next, isLeading, isLast);
  }

  element(
    node: Node,
    kind: number,
    root: Root,
    state: PlanState | undefined,
    from: Inherited,
    next: number,
  ): boolean {
    if (kind === ARRAY) {
      this.above(node, root, state, from, next);
      return !this.changes.takeLeaving();
    }
    const { filter } = this.plan;
    if (!filter.isActive) this.observer.record();
    else if (!this.admitsElement(node, kind, root)) return false;
    if (this.followsDryFilters) this.skipFilters(this.views.of(node, root));
    if (from.skipped.length > 0) skipAbove(this.observer, this.views.of(node, root), from);
    if (state === undefined) return true;
    this.properties.walkRecord(node, root, this.recordState(node, state), from.perRecord, next);
    return !this.changes.takeLeaving();
  }

  /** Whether the filters keep an element that is a record. */
  private admitsElement(node: Node, kind: number, root: Root): boolean {
    const isObject = kind === OBJECT;
    const bare = !isObject || isEmpty(this.doc, node) ? this.bare : undefined;
    const known = bare?.keeps(root, isObject);
    if (known !== undefined) {
      this.observer.record();
      if (!known) this.observer.removed();
      return known;
    }
    const record = this.views.of(node, root);
    const isKept = this.admitsRecord(record);
    bare?.note(record, isObject, isKept);
    return isKept;
  }

  /** The state in a record, for the state at the value that it is. */
  private recordState(node: Node, state: PlanState): PlanState {
    return stateAtObject(this.doc, node, state.inRecord());
  }

  /** The same of a record that is the root: a path whose last `#` means that object names it, unless it has a wildcard. */
  private rootRecordState(node: Node, state: PlanState): PlanState {
    const inRecord = this.recordState(node, state);
    return state.inRecord() === inRecord ? inRecord : inRecord.atRoot();
  }

  private admitsRecord(record: RecordView): boolean {
    const { filter } = this.plan;
    this.observer.record();
    if (!filter.isActive) return true;
    const isKept = filter.keeps(record);
    if (!isKept) this.observer.removed();
    const { witness } = this.observer;
    if (witness === undefined) return isKept;
    witness.filtered(record, isKept);
    // It may have read much that is not in the record.
    this.pace.spend(0);
    return isKept;
  }

  private get followsDryFilters(): boolean {
    return this.plan.filter.hasDryRuns && this.observer.followsDryRuns;
  }

  /** Reports the filters in dry run that would have removed a record that stays. */
  private skipFilters(record: RecordView): void {
    if (!this.followsDryFilters) return;
    const skipped = this.plan.filter.skippedFor(record);
    if (skipped.length > 0) this.observer.skipped(skipped, record);
  }
}
