import { elementsOf, Kind, kindOf, type Located, type Node } from './json/located.ts';

/** The records at a root: the object that it is, or each object in the array, nested arrays entered (enforcement §2). */
export function* recordsAt(doc: Located, root: Node): Generator<Node> {
  const kind = kindOf(doc, root);
  if (kind === Kind.object) yield root;
  else if (kind === Kind.array) for (const element of elementsOf(doc, root)) yield* recordsAt(doc, element);
}
