import {
  after,
  enterArrays,
  isContainer,
  isEmpty,
  Kind,
  kindOf,
  type JsonDocument,
  type Node,
} from './json/document.ts';

/**
 * The records at a root: the object that it is, or each element of the array, nested arrays entered
 * (docs/enforcement.md#root-and-records).
 * An element that is not an object is a record without properties.
 */
export function* recordsAt(doc: JsonDocument, root: Node): Generator<Node> {
  const stop = endOfRecords(doc, root);
  for (let at = enterArrays(doc, root, stop); at < stop; at = enterArrays(doc, after(doc, at), stop))
    yield at;
}

/** Whether a root has records: not if it is null or an empty array. Then nothing leads through it, and whatever names it, it stays. */
export function hasRecords(doc: JsonDocument, root: Node): boolean {
  const kind = kindOf(doc, root);
  return kind !== Kind.null && (kind !== Kind.array || !isEmpty(doc, root));
}

/** The node after the records at a root: the root itself if it has none, as it is null. */
export function endOfRecords(doc: JsonDocument, root: Node): Node {
  return isContainer(kindOf(doc, root)) ? after(doc, root) : root;
}
