import { behind, firstIn, Kind, kindOf, type Located, type Node } from './json/located.ts';

/** The records at a root: the object that it is, or each object in the array, nested arrays entered (enforcement §2). */
export function* recordsAt(doc: Located, root: Node): Generator<Node> {
  const stop = behind(doc, root);
  for (let at = root; at < stop;) {
    const kind = kindOf(doc, at);
    if (kind === Kind.object) yield at;
    // The nodes of an array follow it: what is in it comes next, however deep.
    at = kind === Kind.array ? firstIn(at) : behind(doc, at);
  }
}
