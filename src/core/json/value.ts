import { elementsOf, Kind, kindOf, namesOf, valueOf, type Located, type Node } from './located.ts';
import { rawAt, stringAt } from './text.ts';

/** A number that JavaScript can't hold exactly, as it is spelt. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A JSON value as JavaScript sees it, save that no number loses a digit. Objects have no prototype. */
export type JsonValue =
  string | number | boolean | null | NumberText | JsonValue[] | { [name: string]: JsonValue };

/**
 * Builds a part of a text as JavaScript values, for what is small: requests' parameters, decisions, policies.
 * Of a name that stands twice the last counts.
 */
export function valueAt(doc: Located, node: Node): JsonValue {
  switch (kindOf(doc, node)) {
    case Kind.plainString:
    case Kind.escapedString:
      return stringAt(doc, node);
    case Kind.number:
      return numberFrom(rawAt(doc, node));
    case Kind.true:
      return true;
    case Kind.false:
      return false;
    case Kind.null:
      return null;
    case Kind.object:
      return objectAt(doc, node);
    case Kind.array:
      return Array.from(elementsOf(doc, node), (element) => valueAt(doc, element));
  }
}

function objectAt(doc: Located, node: Node): { [name: string]: JsonValue } {
  const object: { [name: string]: JsonValue } = Object.create(null);
  for (const name of namesOf(doc, node)) object[stringAt(doc, name)] = valueAt(doc, valueOf(name));
  return object;
}

function numberFrom(text: string): number | NumberText {
  const number = Number(text);
  return String(number) === text ? number : new NumberText(text);
}
