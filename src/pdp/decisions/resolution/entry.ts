import {
  DuplicateNameError,
  Kind,
  NO_KEY_ID,
  StringReader,
  after,
  endOf,
  firstIn,
  keyIdOf,
  kindOf,
  namesOf,
  startOf,
  strictReader,
  stringAt,
  valueOf,
  viewOf,
  type Condition,
  type JsonDocument,
  type JsonValue,
  type Node,
  type ShortenedText,
  type TextRun,
} from '../../../core/index.ts';
import { ServiceError } from '../../../errors.ts';
import { repeatedName, type JsonPointer } from '../not-understood.ts';
import type { Found } from '../order.ts';
import {
  readAccess,
  readPrivilege,
  type AccessAnswer,
  type AttributeNames,
  type EntryAnswer,
  type EntryPlace,
  type Unread,
} from './answer.ts';
import { readCondition, type ConditionSettings } from './condition.ts';
import { Doubt, MemberReader } from './members.ts';
import { asObject, misshapen, requiredText } from './parts.ts';
import { PlainAnswers } from './plain-answer.ts';
import { PlainConditions } from './plain-condition.ts';

/** Whether entries of a resource type are asked for. The others are read no further. */
type IsAsked = (resourceType: string) => boolean;

/** An entry of a decision, not yet read. */
export interface Entry extends EntryPlace {
  /** Made each time. */
  readonly place: JsonPointer;
  /** Where it is in a text, if it is in one. */
  readonly inText: EntryInText | undefined;
  /**
   * Reads it as an entry of the access section.
   *
   * @returns undefined if it is not asked for
   * @throws ServiceError `decision-not-understood`
   */
  access(isAsked: IsAsked, names: AttributeNames): AccessAnswer | undefined;
  /** Reads it as an entry of the privileges section; otherwise as {@link access}. */
  privilege(isAsked: IsAsked): EntryAnswer | undefined;
}

/** An entry that is a value. @param place in its list, which the rest of it is */
export function entryOf(value: unknown, place: JsonPointer): Entry {
  return {
    list: place.slice(0, -1),
    index: Number(place.at(-1)),
    place,
    inText: undefined,
    access: (isAsked, names) => unreadIn(value, place, isAsked, (unread) => readAccess(unread, names)),
    privilege: (isAsked) => unreadIn(value, place, isAsked, readPrivilege),
  };
}

function unreadIn<T>(
  value: unknown,
  place: JsonPointer,
  isAsked: IsAsked,
  read: (unread: Unread) => T,
): T | undefined {
  const entry = asObject(value, place);
  const resourceType = requiredText(entry, 'resourceType', place);
  return isAsked(resourceType) ? read({ resourceType, value: entry, place }) : undefined;
}

/** The parts of an answer in its text. Names must be unique in each object. */
export class AnswerText {
  readonly doc: JsonDocument;
  readonly view: DataView;
  readonly strings: StringReader;
  /** Reads entries that are plain. */
  readonly plain: PlainAnswers;
  private readonly plainConditions: PlainConditions;
  private readonly names: MemberReader;
  private readonly read: (node: Node) => JsonValue;
  private readonly shortened: ShortenedText<KnownEntry> | undefined;

  /** @param shortened the text, if placeholders stand for entries that are known */
  constructor(doc: JsonDocument, shortened?: ShortenedText<KnownEntry>) {
    this.doc = doc;
    this.shortened = shortened;
    this.view = viewOf(doc.bytes);
    this.strings = new StringReader(doc);
    this.read = strictReader(doc);
    const members = new MemberReader(doc);
    this.names = members;
    this.plainConditions = new PlainConditions(doc, this.strings, members);
    this.plain = new PlainAnswers(
      doc,
      this.strings,
      members,
      (tree) => (settings, place) => this.condition(tree, settings, place),
    );
  }

  /** @throws ServiceError `decision-not-understood` if a name occurs twice in one object */
  value(node: Node, place: JsonPointer): JsonValue {
    try {
      return this.read(node);
    } catch (error) {
      if (!(error instanceof DuplicateNameError)) throw error;
      throw repeatedName([...place, ...error.path, error.repeated]);
    }
  }

  /** Whether a part that is not read has nothing in it that would be lost, and names that are unique. If not, it is read. */
  isHarmless(node: Node): boolean {
    return this.names.isHarmless(node);
  }

  /** The members of an object, by their names. @throws ServiceError `decision-not-understood` */
  members(object: Node, place: JsonPointer): ReadonlyMap<string, Node> {
    const { doc } = this;
    if (kindOf(doc, object) !== Kind.object) throw misshapen(place);
    const members = new Map<string, Node>();
    for (const name of namesOf(doc, object)) {
      const id = keyIdOf(doc, name);
      const text = id === NO_KEY_ID ? stringAt(doc, name) : this.names.nameOf(id, name);
      if (members.has(text)) throw repeatedName([...place, text]);
      members.set(text, valueOf(name));
    }
    return members;
  }

  /** Adds the entries of a list to others. @throws ServiceError `decision-not-understood` */
  addEntries(entries: Entry[], list: Node, place: JsonPointer): void {
    const { doc } = this;
    if (kindOf(doc, list) !== Kind.array) throw misshapen(place);
    const stop = after(doc, list);
    let index = 0;
    for (let node = firstIn(list); node < stop; node = after(doc, node)) {
      const known = this.shortened?.runAt(startOf(doc, node));
      entries.push(new EntryInText(this, node, place, index, known));
      index += known?.length ?? 1;
    }
  }

  /** The place of a byte in the text before it was shortened. */
  originalOf(at: number): number {
    return this.shortened?.originalOf(at) ?? at;
  }

  private condition(tree: Node, settings: ConditionSettings, place: JsonPointer): Condition {
    try {
      return this.plainConditions.read(tree, settings);
    } catch (error) {
      if (!(error instanceof Doubt || error instanceof ServiceError)) throw error;
      return readCondition(this.value(tree, place), settings, place);
    }
  }
}

/** An entry that was read in another answer. */
export interface KnownEntry {
  /** Its place in its list. */
  readonly index: number;
  readonly found: readonly Found[];
}

/** An entry in the text of an answer. */
export class EntryInText implements Entry {
  readonly text: AnswerText;
  readonly node: Node;
  /** Of the list that it is in. */
  readonly list: JsonPointer;
  readonly index: number;
  /** If it is a placeholder: the entries that it stands for, from the index on. */
  readonly known: TextRun<KnownEntry> | undefined;
  /** Its first byte, and the byte after it. */
  readonly start: number;
  readonly end: number;

  constructor(text: AnswerText, node: Node, list: JsonPointer, index: number, known?: TextRun<KnownEntry>) {
    this.text = text;
    this.node = node;
    this.list = list;
    this.index = index;
    this.known = known;
    this.start = startOf(text.doc, node);
    this.end = endOf(text.doc, node);
  }

  get inText(): EntryInText {
    return this;
  }

  /** In bytes. */
  get length(): number {
    return this.end - this.start;
  }

  get place(): JsonPointer {
    return [...this.list, this.index];
  }

  access(isAsked: IsAsked, names: AttributeNames): AccessAnswer | undefined {
    try {
      const answer = this.text.plain.access(this.node, names);
      return isAsked(answer.resourceType) ? answer : undefined;
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
      return unreadIn(this.value, this.place, isAsked, (unread) => readAccess(unread, names));
    }
  }

  privilege(isAsked: IsAsked): EntryAnswer | undefined {
    try {
      const answer = this.text.plain.privilege(this.node);
      // The conditions of others are not read, and yet have to be unambiguous.
      if (isAsked(answer.resourceType)) return answer;
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
    }
    return unreadIn(this.value, this.place, isAsked, readPrivilege);
  }

  private get value(): JsonValue {
    return this.text.value(this.node, this.place);
  }
}
