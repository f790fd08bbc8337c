import {
  after,
  endOf,
  firstIn,
  Kind,
  kindOf,
  startOf,
  startOfNext,
  valueOf,
  type JsonDocument,
  type Node,
} from './json/document.ts';
import { Splicer, type SplicerRoom } from './json/splicer.ts';
import type { AttributePath } from './paths/parse.ts';
import type { Plan } from './plan/plan.ts';
import { RecordAttribute } from './plan/record-attribute.ts';
import { RecordViews, Subject } from './plan/record.ts';
import type { Root, RootList } from './roots.ts';
import type { Observer } from './walk/observer.ts';
import { Changes } from './walk/changes.ts';
import { endOfCut, startOfCut } from './walk/removals.ts';
import { RootWalker } from './walk/root-walker.ts';
import { PropertyWalker } from './walk/walker.ts';

/** A payload and what is to be done to it. */
export interface MaskingTask {
  readonly doc: JsonDocument;
  /** The payload within the text. */
  readonly payload: Node;
  /** Where enforcement starts: none is within another. */
  readonly roots: RootList;
  readonly plan: Plan;
  /** What identifies a record as an asset, in context mode. */
  readonly assetId: AttributePath | undefined;
  readonly observer: Observer;
  /** What the result may take up; anything unless given. */
  readonly room?: SplicerRoom;
}

/**
 * Applies a plan to a payload (docs/enforcement.md).
 *
 * @returns the payload's own bytes with the changes spliced in, in chunks; what no rule touches is the same bytes
 * @throws TooLongError if they take more than `room`
 */
export function maskPayload(task: MaskingTask): readonly Buffer[] {
  const { doc, payload, plan, observer } = task;
  const start = startOf(doc, payload);
  const splicer = new Splicer(doc.bytes, start, endOf(doc, payload), task.room, doc.view);
  const subject = new Subject(doc, payload, task.roots, () => observer.unreadable());
  subject.conditions = plan.conditions;
  const assetId = task.assetId && new RecordAttribute(task.assetId, plan.conditions.frame);
  const views = new RecordViews(subject, assetId, observer.witness !== undefined);
  const changes = new Changes(doc, plan, splicer, observer, views);
  const walker = new RootWalker(subject, plan, new PropertyWalker(changes), changes, observer, views);
  const admitted: Root[] = [];
  const removed: Node[] = [];
  for (let root = 0; root < task.roots.length; root++) {
    if (walker.admits(root)) admitted.push(root);
    else removed.push(task.roots.nodeOf(root));
  }
  if (removed[0] === payload) return [Buffer.from('{}')];
  if (removed.length > 0) splicer.announce(cutsWithin(doc, payload, { nodes: removed, met: 0 }));
  for (const root of admitted) walker.walk(root);
  return splicer.finish();
}

/** Values that are to go, in the order of the text, and how many of them have been met. */
interface Leaving {
  readonly nodes: readonly Node[];
  met: number;
}

/** What is to be cut for values to go from their containers, as {@link Splicer.announce} takes it. */
function cutsWithin(
  doc: JsonDocument,
  container: Node,
  leaving: Leaving,
  cuts: number[] = [],
): readonly number[] {
  const { nodes } = leaving;
  const isObject = kindOf(doc, container) === Kind.object;
  const stop = after(doc, container);
  let leading = true;
  for (let first = firstIn(container); first < stop && leaving.met < nodes.length;) {
    const node = nodes[leaving.met]!;
    const value = isObject ? valueOf(first) : first;
    const following = after(doc, value);
    if (node === value) {
      leaving.met++;
      const next = startOfNext(doc, following, container);
      cuts.push(startOfCut(doc, first, leading), endOfCut(doc, next, leading, following === stop));
    } else {
      leading = false;
      if (node < following) cutsWithin(doc, value, leaving, cuts);
    }
    first = following;
  }
  return cuts;
}
