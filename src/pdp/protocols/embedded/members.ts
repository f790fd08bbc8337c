import {
  elementsOf,
  Kind,
  kindOf,
  NameIndex,
  namesOf,
  shallowValueAt,
  stringAt,
  valueOf,
  type JsonDocument,
  type JsonValue,
  type Node,
} from '../../../core/index.ts';
import { MAX_PROBLEMS } from '../../../errors.ts';

type Members = Record<string, JsonValue>;
type ReadValue = (node: Node) => JsonValue;

/** What is read of a question. */
interface ReadQuestion {
  /** Its members that count. */
  readonly value: Members;
  /** Pointers to those that occur more than once: choosing one would be a guess about who asks. */
  readonly repeated: readonly string[];
}

/**
 * Reads the members of a question that count, and nothing else: a caller may send megabytes besides. Of a value of the wrong type,
 * it reads as much as shows that.
 *
 * @param names of the members that count
 */
export function readMembers(doc: JsonDocument, question: Node, names: readonly string[]): ReadQuestion {
  const repeated = new Set<string>();
  const scalar: ReadValue = (node) => shallowValueAt(doc, node);
  const environment = indexOf([['resourceFullPath', listOf(doc, scalar, isText)]]);
  const read = indexOf([
    ...names.map((name) => [name, scalar] as const),
    [
      'environment',
      (node) => membersOf(doc, node, environment, (name) => repeated.add(`/environment/${name}`)),
    ],
    ['resourceTypes', listOf(doc, objectOf(doc, ['name']), isOfTexts)],
    ['assetList', listOf(doc, objectOf(doc, ['template', 'path']), isOfTexts)],
  ]);
  const value = membersOf(doc, question, read, (name) => repeated.add(`/${name}`));
  return { value: Object(value), repeated: [...repeated] };
}

/** Of a name that occurs twice here, the last counts. */
function indexOf(read: readonly (readonly [name: string, read: ReadValue])[]): NameIndex<ReadValue> {
  const index = new NameIndex<ReadValue>();
  for (const [name, readValue] of new Map(read)) index.set(name, readValue);
  return index;
}

function membersOf(
  doc: JsonDocument,
  node: Node,
  read: NameIndex<ReadValue>,
  onRepeated: (name: string) => void,
): JsonValue {
  if (kindOf(doc, node) !== Kind.object) return shallowValueAt(doc, node);
  const members: Members = {};
  for (const place of namesOf(doc, node)) {
    const readValue = read.get(doc, place);
    if (readValue === undefined) continue;
    const name = stringAt(doc, place);
    if (Object.hasOwn(members, name)) onRepeated(name);
    else members[name] = readValue(valueOf(place));
  }
  return members;
}

/** Reads objects of texts. Of a name that occurs twice in one, the last counts. */
function objectOf(doc: JsonDocument, names: readonly string[]): ReadValue {
  return (node) => {
    if (kindOf(doc, node) !== Kind.object) return shallowValueAt(doc, node);
    const members: Members = {};
    for (const place of namesOf(doc, node)) {
      const name = stringAt(doc, place);
      if (names.includes(name)) members[name] = shallowValueAt(doc, valueOf(place));
    }
    return members;
  };
}

/** Reads lists, until so many elements are wrong that no more are listed. */
function listOf(doc: JsonDocument, read: ReadValue, isRight: (value: JsonValue) => boolean): ReadValue {
  return (node) => {
    if (kindOf(doc, node) !== Kind.array) return shallowValueAt(doc, node);
    const elements: JsonValue[] = [];
    let wrong = 0;
    for (const element of elementsOf(doc, node)) {
      const value = read(element);
      elements.push(value);
      if (!isRight(value) && ++wrong >= MAX_PROBLEMS) break;
    }
    return elements;
  };
}

/** Whether a value is an object of texts that are not empty. */
function isOfTexts(value: JsonValue): boolean {
  return value !== null && typeof value === 'object' && Object.values(value).every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
