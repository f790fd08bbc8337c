import type { Edit } from '../../json/edits.ts';
import { behind, firstIn, Kind, kindOf, type Located, type Node } from '../../json/located.ts';
import type { Attribute } from '../path/attribute.ts';
import type { State } from '../path/automaton.ts';
import { lengthOf } from '../path/select.ts';
import type { Plan } from '../plan/plan.ts';
import { RecordView } from '../plan/record.ts';
import type { Observer } from './observer.ts';
import { Removals } from './removals.ts';
import type { PropertyWalker } from './walker.ts';

/** Walks a place of the root: finds the records, decides which stay, and has their properties walked (enforcement §2). */
export class RootWalker {
  private readonly doc: Located;
  private readonly plan: Plan;
  private readonly properties: PropertyWalker;
  private readonly edits: Edit[];
  private readonly observer: Observer;
  private readonly assetId: readonly Attribute[];
  private root: Node = 0;

  constructor(
    doc: Located,
    plan: Plan,
    properties: PropertyWalker,
    edits: Edit[],
    observer: Observer,
    assetId: readonly Attribute[],
  ) {
    this.doc = doc;
    this.plan = plan;
    this.properties = properties;
    this.edits = edits;
    this.observer = observer;
    this.assetId = assetId;
  }

  /**
   * @returns whether the root stays: false where it is one record and that must go
   */
  walk(root: Node): boolean {
    this.root = root;
    return this.value(root, this.plan.start);
  }

  /** Walks the root, or an array or element in it; tells whether it stays. */
  private value(node: Node, state: State | undefined): boolean {
    if (state && this.properties.change(node, state)) return true;
    const kind = kindOf(this.doc, node);
    if (kind === Kind.object) return this.record(node, state);
    if (kind === Kind.array) this.elements(node, state);
    else if (node !== this.root && this.plan.filter.removesOthers) return this.remove();
    return true;
  }

  private elements(array: Node, state: State | undefined): void {
    const { doc } = this;
    const removals = new Removals(doc, this.edits);
    const stop = behind(doc, array);
    const length = lengthOf(doc, array);
    let before: Node | undefined;
    for (let element = firstIn(array), index = 0; element < stop; index++) {
      const next = behind(doc, element);
      if (this.value(element, state?.element(index, length))) removals.keep();
      else removals.remove(element, element, before, next < stop ? next : undefined);
      before = element;
      element = next;
    }
  }

  private record(node: Node, state: State | undefined): boolean {
    const record = new RecordView(this.doc, node, this.root, this.assetId);
    this.observer.record();
    if (this.plan.filter.isActive && !this.passesFilter(record)) return this.remove();
    if (state) this.properties.walkRecord(record, state.inRecord());
    return true;
  }

  private passesFilter(record: RecordView): boolean {
    const { filter } = this.plan;
    if (!filter.keeps(record)) return false;
    this.observer.skipped(filter.skippedFor(record), record);
    return true;
  }

  private remove(): false {
    this.observer.removed();
    return false;
  }
}
