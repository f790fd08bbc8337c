import {
  elementsOf,
  Kind,
  kindOf,
  NameIndex,
  namesOf,
  jsonPointer,
  shallowValueAt,
  valueOf,
  type JsonDocument,
  type JsonValue,
  type Node,
} from '../../../core/index.ts';
import { MAX_PROBLEMS } from '../../../errors.ts';

/** What is read of a value. */
export type Form = typeof SCALAR | ObjectForm | ListForm;

/** A value that is no object and no list. */
export const SCALAR = 'scalar';

/** The members of an object that count. */
interface ObjectForm {
  readonly members: NameIndex<Member>;
}

interface Member {
  readonly name: string;
  readonly form: Form;
}

/** The elements of a list, until so many are wrong that no more are listed, or until there are more than may be. */
interface ListForm {
  readonly elements: Form;
  readonly isRight: (element: JsonValue) => boolean;
  readonly most: number;
}

export function objectOf(forms: Readonly<Record<string, Form>>): ObjectForm {
  const members = new NameIndex<Member>();
  for (const [name, form] of Object.entries(forms)) members.set(name, { name, form });
  return { members };
}

/** A list of texts that are not empty. @param most how many there may be */
export function listOfTexts(most: number): ListForm {
  return { elements: SCALAR, isRight: isText, most };
}

/** A list of objects, each of which has texts that are not empty. @param most how many there may be */
export function listOfRecords(names: readonly string[], most: number): ListForm {
  const elements = objectOf(Object.fromEntries(names.map((name) => [name, SCALAR])));
  const isRight = (element: JsonValue): boolean => {
    const members: Readonly<Record<string, unknown>> = Object(element);
    return names.every((name) => isText(members[name]));
  };
  return { elements, isRight, most };
}

/** A list of anything. @param most how many elements there may be */
export function listOf(elements: Form, most: number): ListForm {
  return { elements, isRight: () => true, most };
}

/** What is read of a document. */
interface ReadParts {
  readonly value: JsonValue;
  /** Pointers to members that count and occur more than once: choosing one would be a guess. A hundred at most. */
  readonly repeated: readonly string[];
}

/**
 * Reads the parts of a value that count, and nothing else: a caller may send megabytes besides. Of a part of the wrong type, it reads
 * as much as shows that.
 */
export function readParts(doc: JsonDocument, node: Node, form: Form): ReadParts {
  const reader = new PartReader(doc);
  return { value: reader.read(node, form), repeated: [...reader.repeated] };
}

class PartReader {
  readonly repeated = new Set<string>();
  private readonly doc: JsonDocument;
  /** What leads to the value that is read. */
  private readonly path: (string | number)[] = [];

  constructor(doc: JsonDocument) {
    this.doc = doc;
  }

  read(node: Node, form: Form): JsonValue {
    const kind = kindOf(this.doc, node);
    if (form === SCALAR) return shallowValueAt(this.doc, node);
    if ('members' in form && kind === Kind.object) return this.object(node, form);
    return 'elements' in form && kind === Kind.array ? this.list(node, form) : shallowValueAt(this.doc, node);
  }

  private object(node: Node, { members }: ObjectForm): JsonValue {
    const value: Record<string, JsonValue> = {};
    for (const place of namesOf(this.doc, node)) {
      const member = members.get(this.doc, place);
      if (member === undefined) continue;
      this.path.push(member.name);
      if (!Object.hasOwn(value, member.name)) value[member.name] = this.read(valueOf(place), member.form);
      else if (this.repeated.size < MAX_PROBLEMS) this.repeated.add(jsonPointer(this.path));
      this.path.pop();
    }
    return value;
  }

  private list(node: Node, { elements, isRight, most }: ListForm): JsonValue {
    const list: JsonValue[] = [];
    let wrong = 0;
    for (const element of elementsOf(this.doc, node)) {
      this.path.push(list.length);
      const value = this.read(element, elements);
      this.path.pop();
      list.push(value);
      if (list.length > most || (!isRight(value) && ++wrong === MAX_PROBLEMS)) break;
    }
    return list;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
