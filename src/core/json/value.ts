import {
  after,
  firstIn,
  keyIdOf,
  Kind,
  kindOf,
  nameAfter,
  valueOf,
  type JsonDocument,
  type Node,
} from './document.ts';
import { NO_KEY_ID, type KeyId } from './key-interner.ts';
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

/** A JSON value as JavaScript sees it, except that no number loses a digit. Objects have no prototype. */
export type JsonValue =
  string | number | boolean | null | NumberText | JsonValue[] | { [name: string]: JsonValue };

/** A name occurs twice in one object. */
export class DuplicateNameError extends Error {
  /** The names and indexes that lead to the object. */
  readonly path: readonly (string | number)[];
  /** The name that occurs twice. */
  readonly repeated: string;

  constructor(path: readonly (string | number)[], repeated: string) {
    super('a name occurs twice in one object');
    this.name = 'DuplicateNameError';
    this.path = path;
    this.repeated = repeated;
  }
}

/**
 * Builds a part of a text as {@link valueAt} does.
 *
 * @throws DuplicateNameError if a name occurs twice in one object
 */
export function strictValueAt(doc: JsonDocument, node: Node): JsonValue {
  return strictReader(doc)(node);
}

/** Builds parts of one text as {@link strictValueAt} does; names that they share are decoded once. */
export function strictReader(doc: JsonDocument): (node: Node) => JsonValue {
  const reader = new ValueReader(doc, true);
  return (node) => reader.part(node);
}

/**
 * Builds a part of a text as JavaScript values, for what is small: requests' parameters, decisions, policies.
 * Of a name that occurs twice the last counts.
 */
export function valueAt(doc: JsonDocument, node: Node): JsonValue {
  return new ValueReader(doc, false).value(node);
}

/** The same of a scalar; of an object or array, an empty one: what is in it may be as large as the text. */
export function shallowValueAt(doc: JsonDocument, node: Node): JsonValue {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) return [];
  return kind === Kind.object ? new Members() : valueAt(doc, node);
}

/**
 * An object that inherits nothing: `__proto__` is a name like any other. Objects that `Object.create(null)` makes would do,
 * and are several times slower, as V8 makes a hash table of each.
 */
class Members {
  [name: string]: JsonValue;
}
Object.setPrototypeOf(Members.prototype, null);
Reflect.deleteProperty(Members.prototype, 'constructor');
Object.freeze(Members.prototype);

class ValueReader {
  private readonly doc: JsonDocument;
  private readonly isStrict: boolean;
  /** Names that were read, by their key ids. */
  private readonly names = new Map<KeyId, string>();
  /** What leads to the object that is read. */
  private readonly path: (string | number)[] = [];

  constructor(doc: JsonDocument, isStrict: boolean) {
    this.doc = doc;
    this.isStrict = isStrict;
  }

  /** A value that nothing leads to. */
  part(node: Node): JsonValue {
    this.path.length = 0;
    return this.value(node);
  }

  value(node: Node): JsonValue {
    const { doc } = this;
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
        return this.object(node);
      case Kind.array:
        return this.array(node);
    }
  }

  private array(array: Node): JsonValue[] {
    const { doc, path } = this;
    const values: JsonValue[] = [];
    const stop = after(doc, array);
    for (let element = firstIn(array); element < stop; element = after(doc, element)) {
      path.push(values.length);
      values.push(this.value(element));
      path.pop();
    }
    return values;
  }

  private object(object: Node): { [name: string]: JsonValue } {
    const { doc, path } = this;
    const members = new Members();
    const stop = after(doc, object);
    for (let name = firstIn(object); name < stop; name = nameAfter(doc, name)) {
      const text = this.name(name);
      if (this.isStrict && text in members) throw new DuplicateNameError([...path], text);
      path.push(text);
      members[text] = this.value(valueOf(name));
      path.pop();
    }
    return members;
  }

  private name(node: Node): string {
    const id = keyIdOf(this.doc, node);
    if (id === NO_KEY_ID) return stringAt(this.doc, node);
    const known = this.names.get(id);
    if (known !== undefined) return known;
    const name = stringAt(this.doc, node);
    this.names.set(id, name);
    return name;
  }
}

function numberFrom(text: string): number | NumberText {
  const number = Number(text);
  return String(number) === text ? number : new NumberText(text);
}
