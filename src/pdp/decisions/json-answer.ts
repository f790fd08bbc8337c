import {
  DuplicateNameError,
  JsonDepthError,
  JsonSyntaxError,
  NumberText,
  TOP,
  bufferOf,
  scan,
  strictValueAt,
  type JsonValue,
} from '../../core/index.ts';
import { DEEPEST_DECISION } from './deepest.ts';
import { saysSomething } from './misspelt.ts';
import {
  notJson,
  notUnderstood,
  placeFrom,
  repeatedName,
  type JsonPointer,
  type Place,
} from './not-understood.ts';

/**
 * Reads an answer that is JSON. A name that occurs twice in one object is refused: readers differ in which one counts.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function parseAnswer(bytes: Uint8Array): JsonValue {
  try {
    return strictValueAt(scan(bufferOf(bytes), DEEPEST_DECISION), TOP);
  } catch (error) {
    if (error instanceof DuplicateNameError) throw repeatedName([...error.path, error.repeated]);
    if (error instanceof JsonDepthError || error instanceof JsonSyntaxError) throw notJson(bytes, error);
    throw error;
  }
}

/** The text of a value, every number as the PDP wrote it. */
export function jsonText(value: JsonValue): string {
  const parts: string[] = [];
  addText(value, parts);
  return parts.join('');
}

/** Joined once: to join the parts of each object would copy what is deep once on each level. */
function addText(value: JsonValue, parts: string[]): void {
  if (value instanceof NumberText) parts.push(value.text);
  else if (Array.isArray(value)) addList(value, parts);
  else if (typeof value === 'object' && value !== null) addMembers(value, parts);
  else parts.push(JSON.stringify(value));
}

function addList(list: readonly JsonValue[], parts: string[]): void {
  parts.push('[');
  for (const [index, one] of list.entries()) {
    if (index > 0) parts.push(',');
    addText(one, parts);
  }
  parts.push(']');
}

function addMembers(object: JsonObject, parts: string[]): void {
  parts.push('{');
  for (const [index, [name, member]] of Object.entries(object).entries()) {
    if (index > 0) parts.push(',');
    parts.push(JSON.stringify(name), ':');
    addText(member, parts);
  }
  parts.push('}');
}

export type JsonObject = { readonly [name: string]: JsonValue };

/** Whether a value of an answer is an object: neither a list, nor a number that JavaScript cannot hold. */
export function isObject(value: unknown): value is { [name: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/**
 * A value that has to be an object.
 *
 * @param problem what is wrong with any other value
 * @throws ServiceError `decision-not-understood`
 */
export function objectIn(value: JsonValue | undefined, place: Place, problem = 'no object'): JsonObject {
  if (!isObject(value)) throw notUnderstood(problem, place);
  return value;
}

/**
 * An answer that has to be an object.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function answerObject(answer: JsonValue | undefined): JsonObject {
  return objectIn(answer, [], 'an answer that is no object');
}

/**
 * Refuses members of an object that are not known.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function mustHaveOnly(object: JsonObject, known: readonly string[], place: Place): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw notUnderstood('an unknown member', [...placeFrom(place), unknown]);
}

/** An object somewhere in a value. */
export interface ObjectInside {
  readonly object: JsonObject;
  /** Its name in the object that it is in, or its index in a list. */
  readonly step: string | number | undefined;
  /** Made each time: in a deep answer, the places of all objects would be far larger than it. */
  readonly place: () => JsonPointer;
}

interface PartInside {
  readonly part: unknown;
  readonly step?: string | number;
  readonly parent?: PartInside;
}

/**
 * A value and everything in it that is an object; not in the order of the text.
 *
 * @param place of the value
 */
export function* objectsIn(value: unknown, place: JsonPointer): Generator<ObjectInside> {
  const rest: PartInside[] = [{ part: value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const inside = next;
    const { part, step } = inside;
    if (isObject(part)) yield { object: part, step, place: () => [...place, ...stepsTo(inside)] };
    else if (!Array.isArray(part)) continue;
    const add = (one: unknown, at: string | number) => {
      if (saysSomething(one)) rest.push({ part: one, step: at, parent: inside });
    };
    if (Array.isArray(part)) part.forEach(add);
    else for (const name of Object.keys(part)) add(part[name], name);
  }
}

function stepsTo(inside: PartInside): JsonPointer {
  const steps: (string | number)[] = [];
  for (let at: PartInside | undefined = inside; at?.step !== undefined; at = at.parent) steps.push(at.step);
  return steps.toReversed();
}
