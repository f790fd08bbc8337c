import { elementsOf, Kind, kindOf, namesOf, valueOf, type JsonDocument, type Node } from './document.ts';
import { stringAt } from './text.ts';

/**
 * Whether no object in a value has two properties of one name. Names are compared by what they say, so a name with
 * escapes equals the same name without.
 *
 * @param node the value; it may nest as deep as the text was allowed to when it was scanned
 */
export function hasUniqueNames(doc: JsonDocument, node: Node): boolean {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) return Array.from(elementsOf(doc, node)).every((one) => hasUniqueNames(doc, one));
  return kind !== Kind.object || isUniqueObject(doc, node);
}

function isUniqueObject(doc: JsonDocument, object: Node): boolean {
  const seen = new Set<string>();
  for (const name of namesOf(doc, object)) {
    const text = stringAt(doc, name);
    if (seen.has(text) || !hasUniqueNames(doc, valueOf(name))) return false;
    seen.add(text);
  }
  return true;
}
