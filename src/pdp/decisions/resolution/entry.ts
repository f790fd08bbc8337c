import {
  DuplicateNameError,
  Kind,
  after,
  endOf,
  firstIn,
  kindOf,
  namesOf,
  startOf,
  strictReader,
  stringAt,
  valueOf,
  type JsonDocument,
  type JsonValue,
  type Node,
} from '../../../core/index.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { asObject, misshapen, requiredText, type Members } from './parts.ts';

/** An entry of a decision, not yet read further than its resource type, and its place. */
export interface Unread {
  readonly resourceType: string;
  readonly value: Members;
  readonly place: JsonPointer;
}

/** An entry of a decision that need not be read if the same was read before. */
export interface Entry {
  /** The same for the same bytes at the same place in an answer; undefined if that is not known. */
  readonly key: string | undefined;
  /** @throws ServiceError `decision-not-understood` */
  read(): Unread;
}

/** Longer entries have no key, in bytes. */
const MAX_KEYED = 4096;

/** An entry that is a value. */
export function entryOf(value: unknown, place: JsonPointer): Entry {
  return { key: undefined, read: () => readUnread(value, place) };
}

function readUnread(value: unknown, place: JsonPointer): Unread {
  const entry = asObject(value, place);
  return { resourceType: requiredText(entry, 'resourceType', place), value: entry, place };
}

/** The parts of an answer in its text. Names must be unique in each object. */
export class AnswerText {
  readonly doc: JsonDocument;
  private readonly read: (node: Node) => JsonValue;

  constructor(doc: JsonDocument) {
    this.doc = doc;
    this.read = strictReader(doc);
  }

  /** @throws ServiceError `decision-not-understood` if a name occurs twice in one object */
  value(node: Node, place: JsonPointer): JsonValue {
    try {
      return this.read(node);
    } catch (error) {
      if (!(error instanceof DuplicateNameError)) throw error;
      throw notUnderstood(error.message, [...place, ...error.path]);
    }
  }

  /** The members of an object, by their names. @throws ServiceError `decision-not-understood` */
  members(object: Node, place: JsonPointer): ReadonlyMap<string, Node> {
    const { doc } = this;
    if (kindOf(doc, object) !== Kind.object) throw misshapen(place);
    const members = new Map<string, Node>();
    for (const name of namesOf(doc, object)) {
      const text = stringAt(doc, name);
      if (members.has(text)) throw notUnderstood('a name occurs twice in one object', place);
      members.set(text, valueOf(name));
    }
    return members;
  }

  /** Adds the entries of a list to others. @throws ServiceError `decision-not-understood` */
  addEntries(entries: Entry[], list: Node, place: JsonPointer): void {
    const { doc } = this;
    if (kindOf(doc, list) !== Kind.array) throw misshapen(place);
    const prefix = place.join('/');
    const stop = after(doc, list);
    for (let node = firstIn(list), index = 0; node < stop; node = after(doc, node), index++)
      entries.push(new EntryInText(this, node, this.keyAt(node, prefix, index), place, index));
  }

  private keyAt(node: Node, prefix: string, index: number): string | undefined {
    const { doc } = this;
    const start = startOf(doc, node);
    const end = endOf(doc, node);
    if (end - start > MAX_KEYED) return undefined;
    return `${prefix}/${index} ${doc.bytes.toString('latin1', start, end)}`;
  }
}

class EntryInText implements Entry {
  readonly key: string | undefined;
  private readonly text: AnswerText;
  private readonly node: Node;
  private readonly list: JsonPointer;
  private readonly index: number;

  constructor(text: AnswerText, node: Node, key: string | undefined, list: JsonPointer, index: number) {
    this.key = key;
    this.text = text;
    this.node = node;
    this.list = list;
    this.index = index;
  }

  read(): Unread {
    const place = [...this.list, this.index];
    return readUnread(this.text.value(this.node, place), place);
  }
}
