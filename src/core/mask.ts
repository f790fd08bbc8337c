import _ from 'lodash';
import {
  behind,
  endOf,
  firstIn,
  isContainer,
  Kind,
  kindOf,
  startOf,
  valueOf,
  type Located,
  type Node,
} from './json/located.ts';
import { Splicer, type Cut, type SplicerRoom } from './json/splicer.ts';
import type { Attribute } from './paths/attribute.ts';
import type { Plan } from './plan/plan.ts';
import type { Observer } from './walk/observer.ts';
import { Removals } from './walk/removals.ts';
import { RootWalker } from './walk/root-walker.ts';
import { PropertyWalker } from './walk/walker.ts';

/** A payload and what is to be done to it. */
export interface MaskingTask {
  readonly doc: Located;
  /** The payload within the text. */
  readonly payload: Node;
  /** Where enforcement starts: values in the payload, in order, none within another. */
  readonly roots: readonly Node[];
  readonly plan: Plan;
  /** Where a record's asset identifier stands, in context mode. */
  readonly assetId: readonly Attribute[];
  readonly observer: Observer;
  /** What the result may take up; anything unless given. */
  readonly room?: SplicerRoom;
}

const EMPTY_OBJECT = [Buffer.from('{}')];

/**
 * Applies a plan to a payload (specification 2.9, enforcement §6 and §7).
 *
 * @returns the payload's own bytes with the changes spliced in, in chunks; what no rule touches is the same bytes
 * @throws TooLongError if they take more than `room`
 */
export function maskPayload(task: MaskingTask): readonly Buffer[] {
  const { doc, payload, plan, observer } = task;
  const splicer = new Splicer(doc.bytes, startOf(doc, payload), endOf(doc, payload), task.room);
  const properties = new PropertyWalker(doc, plan, splicer, observer);
  const walker = new RootWalker(doc, plan, properties, splicer, observer, task.assetId);
  const [admitted, removed] = _.partition(task.roots, (root) => walker.admits(root));
  if (removed[0] === payload) return EMPTY_OBJECT;
  if (removed.length > 0) splicer.announce(cutsWithin(doc, payload, removed));
  for (const root of admitted) walker.walk(root);
  return splicer.finish();
}

/** What is to be cut for values to go from the containers that they stand in. */
function cutsWithin(
  doc: Located,
  container: Node,
  removed: readonly Node[],
  cuts: Cut[] = [],
): readonly Cut[] {
  const removals = new Removals(doc);
  const isObject = kindOf(doc, container) === Kind.object;
  const stop = behind(doc, container);
  let before: Node | undefined;
  for (let first = firstIn(container); first < stop;) {
    const value = isObject ? valueOf(first) : first;
    const next = behind(doc, value);
    if (removed[_.sortedIndex(removed, value)] === value) {
      cuts.push(removals.cut(first, value, before, next < stop ? next : undefined));
    } else {
      removals.keep();
      if (isContainer(kindOf(doc, value)) && holdsAny(removed, value, next))
        cutsWithin(doc, value, removed, cuts);
    }
    before = value;
    first = next;
  }
  return cuts;
}

function holdsAny(removed: readonly Node[], from: Node, to: Node): boolean {
  const first = removed[_.sortedIndex(removed, from)];
  return first !== undefined && first < to;
}
