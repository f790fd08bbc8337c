import {
  Kind,
  TOP,
  elementsOf,
  kindOf,
  namesOf,
  stringAt,
  valueOf,
  type JsonDocument,
  type Node,
} from '../../core/index.ts';

/**
 * Whether a payload has a place. Of a name that occurs twice, either may lead there.
 *
 * @param pointer a JSON pointer (RFC 6901)
 */
export function hasPlace(doc: JsonDocument, pointer: string): boolean {
  const steps = pointer.split('/').slice(1);
  let nodes: readonly Node[] = [TOP];
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    nodes = nodes.flatMap((node) => childrenAt(doc, node, name));
  }
  return nodes.length > 0;
}

function childrenAt(doc: JsonDocument, node: Node, name: string): readonly Node[] {
  const kind = kindOf(doc, node);
  if (kind === Kind.object)
    return [...namesOf(doc, node)].filter((one) => stringAt(doc, one) === name).map(valueOf);
  if (kind !== Kind.array || !/^(?:0|[1-9]\d*)$/u.test(name)) return [];
  return [...elementsOf(doc, node).drop(Number(name)).take(1)];
}
