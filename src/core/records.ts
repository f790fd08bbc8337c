import { after, firstIn, Kind, kindOf, type JsonDocument, type Node } from './json/document.ts';

/** A step from a container of the payload to a value inside it. */
export interface RootStep {
  readonly before: RootStep | undefined;
  /** The object or array that the step leads out of. */
  readonly container: Node;
  /** The name of the member in an object; undefined in an array. */
  readonly name: Node | undefined;
  /** The index of the element in an array. */
  readonly index: number;
}

/** A place in the payload at which enforcement starts, and how it is reached from the payload. */
export interface Root {
  readonly node: Node;
  /** The last step; undefined if the root is the payload itself. */
  readonly step: RootStep | undefined;
}

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
