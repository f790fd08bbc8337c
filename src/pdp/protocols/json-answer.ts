import {
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  NumberText,
  TOP,
  bufferOf,
  elementsOf,
  kindOf,
  namesOf,
  scan,
  stringAt,
  valueAt,
  valueOf,
  type JsonValue,
  type JsonDocument,
  type Node,
} from '../../core/index.ts';
import { notUnderstood, type Place } from './resolution/error.ts';

/** How deep an answer may nest: rules are written by people. */
const MAX_DEPTH = 200;

/**
 * Reads an answer that is JSON. A name that occurs twice in one object is refused: readers differ in which one counts.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function parseAnswer(bytes: Uint8Array): JsonValue {
  const doc = located(bytes);
  return strictValueAt(doc, TOP, []);
}

/** The text of a value, every number as the PDP wrote it. */
export function jsonText(value: JsonValue): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`,
  );
  return `{${members.join(',')}}`;
}

export type JsonObject = { readonly [name: string]: JsonValue };

/** Whether a value is an object: neither a list, nor a number that JavaScript cannot hold. */
export function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/**
 * An object that has no members but these.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function mustHaveOnly(object: JsonObject, known: readonly string[], place: Place): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw notUnderstood('an unknown member', [...place, unknown]);
}

function located(bytes: Uint8Array): JsonDocument {
  try {
    return scan(bufferOf(bytes), MAX_DEPTH);
  } catch (error) {
    if (error instanceof JsonDepthError) throw notUnderstood('it nests too deeply', []);
    if (error instanceof JsonSyntaxError) throw notUnderstood('it is not JSON', []);
    throw error;
  }
}

function strictValueAt(doc: JsonDocument, node: Node, place: Place): JsonValue {
  switch (kindOf(doc, node)) {
    case Kind.object:
      return strictObjectAt(doc, node, place);
    case Kind.array:
      return Array.from(elementsOf(doc, node), (element, i) => strictValueAt(doc, element, [...place, i]));
    default:
      return valueAt(doc, node);
  }
}

function strictObjectAt(doc: JsonDocument, node: Node, place: Place): JsonValue {
  const object: { [name: string]: JsonValue } = Object.create(null);
  for (const name of namesOf(doc, node)) {
    const text = stringAt(doc, name);
    if (text in object) throw notUnderstood('a name that occurs twice', [...place, text]);
    object[text] = strictValueAt(doc, valueOf(name), [...place, text]);
  }
  return object;
}
