import {
  SEED,
  areSameBytes,
  endOf,
  hashOfBytes,
  RecentHashes,
  startOf,
  viewOf,
  type Condition,
  type JsonDocument,
  type Node,
} from '../../../core/index.ts';
import type { ConditionSettings } from './condition.ts';

/** How many leaves are kept, and how many are remembered to have been read once: powers of two. */
const MAX_LEAVES = 1024;
const MAX_RECENT = 4096;
/** Leaves of other lengths are read each time, in bytes. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 256;

interface Known {
  readonly hash: number;
  readonly attrName: string | undefined;
  readonly object: string | undefined;
  /** A copy of its text. */
  readonly view: DataView;
  readonly leaf: Condition;
}

/**
 * Leaves of conditions that were read before, by their text and what their attributes are about: rules of one decision compare the
 * same attributes with the same values, and those of the next decision most of them. A leaf takes the place of another one if it
 * has to.
 */
const leaves: (Known | undefined)[] = [];
const recent = new RecentHashes(MAX_RECENT);

/** Reads a leaf. If it is to be kept, its strings must not hold the whole text. */
type LeafReader = (leaf: Node, settings: ConditionSettings, isKept: boolean) => Condition;

/** Finds a leaf of a text, or reads it. */
export function findLeaf(
  doc: JsonDocument,
  view: DataView,
  node: Node,
  settings: ConditionSettings,
  read: LeafReader,
): Condition {
  const start = startOf(doc, node);
  const end = endOf(doc, node);
  const length = end - start;
  if (length < MIN_LENGTH || length > MAX_LENGTH) return read(node, settings, false);
  const hash = hashOfBytes(view, start, end, SEED ^ length);
  const slot = hash & (MAX_LEAVES - 1);
  const known = leaves[slot];
  if (known?.hash === hash && isSame(known, settings, view, start, length)) return known.leaf;
  const neighbor = leaves[slot ^ 1];
  if (neighbor?.hash === hash && isSame(neighbor, settings, view, start, length)) return neighbor.leaf;
  if (!recent.meet(hash)) return read(node, settings, false);
  const leaf = read(node, settings, true);
  const copy = viewOf(Buffer.from(doc.bytes.subarray(start, end)));
  // Of two leaves for one place, the older one moves to the place next to it.
  if (known) leaves[slot ^ 1] = known;
  const { attrName, object } = settings;
  leaves[slot] = { hash, attrName, object, view: copy, leaf };
  return leaf;
}

function isSame(
  known: Known,
  { attrName, object }: ConditionSettings,
  view: DataView,
  start: number,
  length: number,
): boolean {
  return (
    known.attrName === attrName &&
    known.object === object &&
    known.view.byteLength === length &&
    areSameBytes(known.view, 0, view, start, length)
  );
}
