import { elementsOf, Kind, kindOf, namesOf, valueOf, type JsonDocument, type Node } from './document.ts';
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

/** A name occurs twice in one object. */
export class DuplicateNameError extends Error {
  /** The names and indexes that lead to the object. */
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[]) {
    super('a name occurs twice in one object');
    this.name = 'DuplicateNameError';
    this.path = path;
  }
}

/**
 * Builds a part of a text as {@link valueAt} does.
 *
 * @throws DuplicateNameError if a name occurs twice in one object
 */
export function strictValueAt(doc: JsonDocument, node: Node): JsonValue {
  refuseDuplicates(doc, node, []);
  return valueAt(doc, node);
}

function refuseDuplicates(doc: JsonDocument, node: Node, path: (string | number)[]): void {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) {
    let index = 0;
    for (const element of elementsOf(doc, node)) refuseDuplicatesAt(doc, element, path, index++);
  } else if (kind === Kind.object) {
    const names = new Set<string>();
    for (const name of namesOf(doc, node)) {
      const text = stringAt(doc, name);
      if (names.has(text)) throw new DuplicateNameError([...path]);
      names.add(text);
      refuseDuplicatesAt(doc, valueOf(name), path, text);
    }
  }
}

function refuseDuplicatesAt(
  doc: JsonDocument,
  node: Node,
  path: (string | number)[],
  step: string | number,
): void {
  if (kindOf(doc, node) < Kind.object) return;
  path.push(step);
  refuseDuplicates(doc, node, path);
  path.pop();
}

/**
 * Builds a part of a text as JavaScript values, for what is small: requests' parameters, decisions, policies.
 * Of a name that occurs twice the last counts.
 */
export function valueAt(doc: JsonDocument, node: Node): JsonValue {
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

function objectAt(doc: JsonDocument, node: Node): { [name: string]: JsonValue } {
  const object: { [name: string]: JsonValue } = Object.create(null);
  for (const name of namesOf(doc, node)) object[stringAt(doc, name)] = valueAt(doc, valueOf(name));
  return object;
}

function numberFrom(text: string): number | NumberText {
  const number = Number(text);
  return String(number) === text ? number : new NumberText(text);
}
