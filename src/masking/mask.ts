import _ from 'lodash';
import { splice, type Edit } from '../json/edits.ts';
import {
  behind,
  endOf,
  firstIn,
  isContainer,
  Kind,
  kindOf,
  startOf,
  type Located,
  type Node,
} from '../json/located.ts';
import { ActionTexts } from './actions/apply.ts';
import type { Attribute } from './path/attribute.ts';
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
  /** What strings become under the default mask. */
  readonly maskString: string;
  /** Where a record's asset identifier stands, in context mode. */
  readonly assetId: readonly Attribute[];
  readonly observer: Observer;
}

const EMPTY_OBJECT = Buffer.from('{}');

/**
 * Applies a plan to a payload (specification 2.9, enforcement §6 and §7).
 *
 * @returns the payload's own bytes with the changes spliced in; what no rule touches is the same bytes
 */
export function maskPayload(task: MaskingTask): Buffer {
  const { doc, payload, plan, observer } = task;
  const edits: Edit[] = [];
  const properties = new PropertyWalker(doc, plan, new ActionTexts(task.maskString), edits, observer);
  const walker = new RootWalker(doc, plan, properties, edits, observer, task.assetId);
  const removed = task.roots.filter((root) => !walker.walk(root));
  if (removed.includes(payload)) return EMPTY_OBJECT;
  if (removed.length > 0) removeWithin(doc, payload, removed, edits);
  return splice(doc.bytes, startOf(doc, payload), endOf(doc, payload), edits);
}

/** Removes values from the containers that they stand in. */
function removeWithin(doc: Located, container: Node, removed: readonly Node[], edits: Edit[]): void {
  const removals = new Removals(doc, edits);
  const named = kindOf(doc, container) === Kind.object ? 1 : 0;
  const stop = behind(doc, container);
  let before: Node | undefined;
  for (let first = firstIn(container); first < stop;) {
    const value = first + named;
    const next = behind(doc, value);
    if (removed[_.sortedIndex(removed, value)] === value) {
      removals.remove(first, value, before, next < stop ? next : undefined);
    } else {
      removals.keep();
      if (isContainer(kindOf(doc, value)) && holdsAny(removed, value, next))
        removeWithin(doc, value, removed, edits);
    }
    before = value;
    first = next;
  }
}

function holdsAny(removed: readonly Node[], from: Node, to: Node): boolean {
  const first = removed[_.sortedIndex(removed, from)];
  return first !== undefined && first < to;
}
