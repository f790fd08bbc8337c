import {
  behind,
  endOf,
  firstIn,
  Kind,
  kindOf,
  startOfNext,
  type Located,
  type Node,
} from '../json/located.ts';
import type { Cut, Splicer } from '../json/splicer.ts';
import { NOTHING } from '../json/piece.ts';
import type { Attribute } from '../paths/attribute.ts';
import { lengthOf } from '../paths/select.ts';
import type { Plan, PlanState } from '../plan/plan.ts';
import { RecordView } from '../plan/record.ts';
import type { Observer } from './observer.ts';
import { Removals } from './removals.ts';
import type { PropertyWalker } from './walker.ts';

/** Walks places of the root: finds the records, decides which stay, and has their properties walked (enforcement §2). */
export class RootWalker {
  private readonly doc: Located;
  private readonly plan: Plan;
  private readonly properties: PropertyWalker;
  private readonly splicer: Splicer;
  private readonly observer: Observer;
  private readonly assetId: readonly Attribute[];
  private root: Node = 0;

  constructor(
    doc: Located,
    plan: Plan,
    properties: PropertyWalker,
    splicer: Splicer,
    observer: Observer,
    assetId: readonly Attribute[],
  ) {
    this.doc = doc;
    this.plan = plan;
    this.properties = properties;
    this.splicer = splicer;
    this.observer = observer;
    this.assetId = assetId;
  }

  /** Whether a place of the root stays: not where it is one record that has to go. */
  admits(root: Node): boolean {
    this.root = root;
    const kind = kindOf(this.doc, root);
    const record = kind === Kind.object ? this.view(root) : undefined;
    if (record !== undefined && !this.admitsRecord(record)) return false;
    return !this.isRemoved(root, kind, record);
  }

  /** Whether a rule removes a place of the root: that has to be known before anything is written. */
  private isRemoved(root: Node, kind: Kind, record: RecordView | undefined): boolean {
    const { start } = this.plan;
    if (start === undefined) return false;
    const { properties } = this;
    if (properties.removes(root, kind, start)) return true;
    return record !== undefined && properties.removes(root, kind, start.inRecord(), record);
  }

  /** Walks a place of the root that stays. */
  walk(root: Node): void {
    this.root = root;
    const { start } = this.plan;
    const kind = kindOf(this.doc, root);
    if (start && this.properties.change(root, kind, start, endOf(this.doc, root))) return;
    if (kind === Kind.object && start) this.properties.walkRecord(this.view(root), start.inRecord());
    if (kind === Kind.array) this.elements(root, start);
  }

  /** Walks an element of the root, or of an array in it; tells whether it stays. */
  private element(node: Node, state: PlanState | undefined, next: number): boolean {
    const kind = kindOf(this.doc, node);
    if (state && this.properties.change(node, kind, state, next)) return !this.properties.takeLeaving();
    if (kind === Kind.object) return this.record(node, state);
    if (kind === Kind.array) this.elements(node, state);
    else if (this.plan.filter.removesOthers) return this.remove();
    return true;
  }

  private elements(array: Node, state: PlanState | undefined): void {
    const { doc } = this;
    const removals = new Removals(doc);
    const stop = behind(doc, array);
    const length = lengthOf(doc, array);
    let before: Node | undefined;
    for (let element = firstIn(array), index = 0; element < stop; index++) {
      const next = behind(doc, element);
      if (this.element(element, state?.element(index, length), startOfNext(doc, next, array)))
        removals.keep();
      else this.cut(removals.cut(element, element, before, next < stop ? next : undefined));
      before = element;
      element = next;
    }
  }

  private record(node: Node, state: PlanState | undefined): boolean {
    const record = this.view(node);
    if (!this.admitsRecord(record)) return false;
    if (state) this.properties.walkRecord(record, state.inRecord());
    return !this.properties.takeLeaving();
  }

  private admitsRecord(record: RecordView): boolean {
    const { filter } = this.plan;
    this.observer.record();
    if (!filter.isActive) return true;
    if (!filter.keeps(record)) return this.remove();
    if (filter.hasDryRuns) this.observer.skipped(filter.skippedFor(record), record);
    return true;
  }

  private view(node: Node): RecordView {
    return new RecordView(this.doc, node, this.root, this.assetId);
  }

  private cut({ start, end }: Cut): void {
    this.splicer.replace(start, end, NOTHING);
  }

  private remove(): false {
    this.observer.removed();
    return false;
  }
}
