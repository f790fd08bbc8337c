import { after, firstIn, Kind, kindOf, type JsonDocument, type Node } from './json/document.ts';

/**
 * The records at a root: the object that it is, or each element of the array, nested arrays entered
 * (docs/enforcement.md#root-and-records).
 * An element that is not an object is a record without properties.
 */
export function* recordsAt(doc: JsonDocument, root: Node): Generator<Node> {
  const kind = kindOf(doc, root);
  if (kind === Kind.object) yield root;
  if (kind !== Kind.array) return;
  const stop = after(doc, root);
  for (let at = firstIn(root); at < stop;) {
    // The nodes of an array follow it: what is in it comes next, however deep.
    const isArray = kindOf(doc, at) === Kind.array;
    if (!isArray) yield at;
    at = isArray ? firstIn(at) : after(doc, at);
  }
}
