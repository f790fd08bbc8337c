import {
  Kind,
  TOP,
  after,
  endOf,
  firstIn,
  kindOf,
  scan,
  startOf,
  type JsonDocument,
  type JsonPart,
} from '../../../core/index.ts';
import type { RecordLimit } from './splitter.ts';

/** How large and how deep a record may be. */
export interface RecordBounds {
  readonly limit: RecordLimit;
  /** In levels of objects and arrays. */
  readonly maxDepth: number;
}

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;

/**
 * Scans records in one go, as the elements of an array: to scan each by itself takes several times as long if they are small.
 *
 * @param text the records, each with one byte after it that parts it from the next
 * @param ends where those bytes are, in ascending order; the last one is the last byte of the text
 * @param bounds of each record
 * @returns the payloads in a copy of the text; undefined if that does not pay, or if not each record is an object or array within the
 *   bounds, which only scanning each by itself can explain
 */
export function scannedTogether(
  text: Buffer,
  ends: readonly number[],
  { limit, maxDepth }: RecordBounds,
): readonly JsonPart[] | undefined {
  if (ends.length < 2 || text.length > limit.bytes) return undefined;
  const array = Buffer.allocUnsafe(text.length + 1);
  array[0] = OPEN_ARRAY;
  text.copy(array, 1);
  for (const end of ends) array[end + 1] = COMMA;
  array[text.length] = CLOSE_ARRAY;
  const doc = scanned(array, maxDepth + 1);
  return doc && payloadsBetween(doc, ends);
}

function scanned(array: Buffer, maxDepth: number): JsonDocument | undefined {
  try {
    return scan(array, maxDepth);
  } catch {
    return undefined;
  }
}

/** A comma may have closed what a record left open, and a record may have commas of its own: each must have one element, and all of it. */
function payloadsBetween(doc: JsonDocument, ends: readonly number[]): readonly JsonPart[] | undefined {
  const parts: JsonPart[] = [];
  const over = after(doc, TOP);
  let node = firstIn(TOP);
  let start = 1;
  for (const end of ends) {
    if (node === over || !isContainerWithin(doc, node, start, end + 1)) return undefined;
    parts.push({ doc, node });
    node = after(doc, node);
    start = end + 2;
  }
  return node === over ? parts : undefined;
}

function isContainerWithin(doc: JsonDocument, node: number, start: number, end: number): boolean {
  const kind = kindOf(doc, node);
  return (
    (kind === Kind.object || kind === Kind.array) && startOf(doc, node) >= start && endOf(doc, node) <= end
  );
}
