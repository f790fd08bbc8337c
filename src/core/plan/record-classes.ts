import { endOf, firstIn, Kind, keyIdOf, kindOf, startOf, valueOf, type Node } from '../json/document.ts';
import { NO_KEY_ID } from '../json/key-interner.ts';
import { Automaton } from '../paths/automaton.ts';
import { NameIndex } from '../paths/name-index.ts';
import type { Path } from '../paths/path.ts';
import { RootStates } from '../paths/root-states.ts';
import { stateAtObject } from '../paths/sole-element.ts';
import type { State } from '../paths/state.ts';
import type { Root } from '../roots.ts';
import type { Comparison } from '../conditions/comparison.ts';
import { stateAtPayload } from './frame.ts';
import type { RecordAttribute } from './record-attribute.ts';
import type { RecordConditions } from './record-condition.ts';
import type { RecordView, Subject } from './record.ts';
import { UNSORTED, ValueClasses } from './value-classes.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const OBJECT = Kind.object;

/** A number for records that are alike; never used again for others. */
export type RecordClass = number;
/** Of records of which it is not known which others are like them. */
export const NO_CLASS: RecordClass = -1;

/** What conditions read of a record is compared if it has no more parts, of which each takes no more than this in characters. */
const MAX_PARTS = 256;
const MAX_LENGTH = 1024;
/** How many classes, and how many parts by their texts, of the records of one scope are known at a time. */
const MAX_CLASSES = 4096;

/** A member that conditions read by its name. */
interface Member {
  /** Its place among those. */
  readonly place: number;
  /** The classes of its values, if nothing in it is read. */
  readonly values: ValueClasses | undefined;
}

/** A class of records, and those that have one more part. */
class ClassNode {
  readonly number: RecordClass = classes++;
  /** The part that was met last after this one: that of the next record is often the same. */
  private part: number | undefined;
  private next: ClassNode | undefined;
  private others: Map<number, ClassNode> | undefined;

  after(part: number): ClassNode | undefined {
    if (part === this.part) return this.next;
    const known = this.others?.get(part);
    if (known) this.begin(part, known);
    return known;
  }

  /** @param part that has no class yet */
  add(part: number): ClassNode {
    const added = new ClassNode();
    if (this.part !== undefined) this.others ??= new Map();
    this.begin(part, added);
    return added;
  }

  private begin(part: number, next: ClassNode): void {
    if (this.part !== undefined && this.next) this.others?.set(this.part, this.next);
    this.part = part;
    this.next = next;
  }

  clear(): void {
    this.part = undefined;
    this.next = undefined;
    this.others = undefined;
  }
}

/** How the records of some roots are read: alike by all conditions. */
interface Scope {
  /** The class of records that are no objects. */
  readonly none: RecordClass;
  /** That of objects that have nothing that is read. */
  readonly top: ClassNode;
  /** How many classes there are. */
  count: number;
  /** The members that are read by their names. */
  readonly members: NameIndex<Member>;
  readonly memberCount: number;
  /** The same by the numbers of their names in the text; null is none of them. */
  readonly byNumber: (Member | null | undefined)[];
  /** What else is read. */
  readonly patterns: State | undefined;
  /** Numbers of names and values as they are spelt. */
  readonly texts: Map<string, number>;
}

let classes = 0;

/**
 * Sorts the records of one payload into classes: all conditions of a plan hold alike for records of one class, as these are the
 * same in what conditions read. So a record costs what is in it, however many conditions there are.
 */
export class RecordClasses {
  private readonly subject: Subject;
  private readonly conditions: RecordConditions;
  /** How many leaves there were when the scopes were made. */
  private known = -1;
  private scopes = new Map<State | undefined, [scope?: Scope | null, ofArray?: Scope | null]>();
  private states: RootStates<undefined> | undefined;
  private unlike: readonly Root[] | undefined;
  private root: Root = -1;
  private scope: Scope | null = null;

  constructor(subject: Subject, conditions: RecordConditions) {
    this.subject = subject;
    this.conditions = conditions;
  }

  of(record: RecordView): RecordClass {
    const scope = this.scopeOf(record);
    if (scope === null) return NO_CLASS;
    const { doc } = this.subject;
    if (kindOf(doc, record.node) !== Kind.object) return scope.none;
    return this.classOf(record.node, scope)?.number ?? NO_CLASS;
  }

  /**
   * One of the roots to which the paths of conditions lead alike, for each way in which they do.
   *
   * @returns undefined if this is not known for an attribute
   */
  unlikeRoots(attribute: RecordAttribute): Iterable<Root> | undefined {
    if (this.conditions.leafCount !== this.known) this.begin();
    return this.conditions.reads(attribute) ? (this.unlike ??= this.findUnlike()) : undefined;
  }

  private findUnlike(): readonly Root[] {
    const { roots } = this.subject;
    const met = new Map<State | undefined, [met?: true, asArray?: true]>();
    const unlike: Root[] = [];
    for (let root = 0; root < roots.length; root++) {
      const state = this.states?.at(root);
      const known = met.get(state) ?? [];
      const ofArray = this.isArray(root) ? 1 : 0;
      if (known[ofArray]) continue;
      known[ofArray] = true;
      met.set(state, known);
      unlike.push(root);
    }
    return unlike;
  }

  private isArray(root: Root): boolean {
    const { doc, roots } = this.subject;
    return kindOf(doc, roots.nodeOf(root)) === Kind.array;
  }

  /** One part after the other is one class after the other. @returns undefined if too much is read */
  private classOf(object: Node, scope: Scope): ClassNode | undefined {
    const { doc } = this.subject;
    const { tape } = doc;
    const stop = tape[object + 1]!;
    const patterns = scope.patterns && stateAtObject(doc, object, scope.patterns);
    let found = scope.top;
    let count = 0;
    for (let name = firstIn(object); name < stop;) {
      const value = valueOf(name);
      const kind = tape[value]! & 7;
      const member = this.memberAt(name, scope);
      const state = patterns?.member(doc, name);
      // Nothing is in a scalar; yet it may be the last of its name.
      const isRead =
        member !== undefined ||
        (state !== undefined && (kind >= OBJECT || count > 0 || state.accepts.length > 0));
      if (isRead) {
        const part = this.partOf(name, value, scope, state === undefined ? member : undefined);
        if (part === undefined || ++count > MAX_PARTS) return undefined;
        found = found.after(part) ?? this.add(found, part, scope);
      }
      name = kind >= OBJECT ? tape[value + 1]! : value + 1;
    }
    return found;
  }

  private add(before: ClassNode, part: number, scope: Scope): ClassNode {
    if (scope.count++ >= MAX_CLASSES) {
      scope.top.clear();
      scope.count = 1;
    }
    return before.add(part);
  }

  /**
   * A number for a member of a record: the same for those that are alike.
   *
   * @param member undefined if more of it is read than its value
   * @returns undefined if it is too long
   */
  private partOf(name: Node, value: Node, scope: Scope, member: Member | undefined): number | undefined {
    if (member?.values) {
      const like = member.values.of(this.subject.doc, value);
      if (like !== UNSORTED) return like * scope.memberCount + member.place;
    }
    const text = this.rawText(name, value);
    return text === undefined ? undefined : -1 - this.numberOf(text, scope);
  }

  private numberOf(text: string, scope: Scope): number {
    const { texts } = scope;
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size >= MAX_CLASSES) this.forget(scope);
    texts.set(text, texts.size);
    return texts.size - 1;
  }

  private forget({ texts, top }: Scope): void {
    texts.clear();
    top.clear();
  }

  private memberAt(name: Node, { byNumber, members }: Scope): Member | undefined {
    const { doc } = this.subject;
    const number = keyIdOf(doc, name);
    if (number === NO_KEY_ID) return members.get(doc, name);
    const known = byNumber[number];
    if (known !== undefined) return known ?? undefined;
    const member = members.get(doc, name);
    byNumber[number] = member ?? null;
    return member;
  }

  /** The bytes from one node through another as characters. @returns undefined if they are too many */
  private rawText(first: Node, last: Node): string | undefined {
    const { doc } = this.subject;
    const start = startOf(doc, first);
    const end = endOf(doc, last);
    return end - start > MAX_LENGTH ? undefined : doc.bytes.toString('latin1', start, end);
  }

  private scopeOf(record: RecordView): Scope | null {
    if (this.conditions.leafCount !== this.known) this.begin();
    if (record.root !== this.root) {
      this.scope = this.scopeAt(record);
      this.root = record.root;
    }
    return this.scope;
  }

  /** Conditions are compiled as properties are met, so there may be more than before. */
  private begin(): void {
    const { subject, conditions } = this;
    const paths = conditions.attributes.map(({ path }) => path);
    const start = stateAtPayload(
      new Automaton(paths),
      paths.map((path, number) => [path, number]),
      conditions.frame,
    );
    this.known = conditions.leafCount;
    this.states = new RootStates(subject.doc, subject.roots, start);
    this.scopes = new Map();
    this.unlike = undefined;
    this.root = -1;
  }

  private scopeAt(record: RecordView): Scope | null {
    const state = this.states?.at(record.root);
    const ofArray = this.isArray(record.root) ? 1 : 0;
    const scopes = this.scopes.get(state) ?? [];
    const known = scopes[ofArray];
    if (known !== undefined) return known;
    const scope = this.makeScope(record);
    scopes[ofArray] = scope;
    this.scopes.set(state, scopes);
    return scope;
  }

  /** @returns null if the records of a root are not read alike */
  private makeScope(record: RecordView): Scope | null {
    const members = new Map<string, Comparison[] | undefined>();
    const patterns: Path[] = [];
    for (const attribute of this.conditions.attributes) {
      const read = attribute.membersReadIn(record);
      if (read === 'by index') return null;
      for (const { name, isWhole, path } of read) {
        if (name === undefined) patterns.push(path);
        else addMember(members, name, isWhole ? attribute.comparisons : undefined);
      }
    }
    return {
      none: classes++,
      top: new ClassNode(),
      count: 1,
      members: indexOf(members),
      memberCount: members.size,
      byNumber: [],
      patterns: patterns.length > 0 ? new Automaton(patterns).start : undefined,
      texts: new Map(),
    };
  }
}

/** @param comparisons what its values are compared with; undefined if what is in them is read */
function addMember(
  members: Map<string, Comparison[] | undefined>,
  name: string,
  comparisons: readonly Comparison[] | undefined,
): void {
  const before = members.has(name) ? members.get(name) : [];
  members.set(name, before && comparisons && before.concat(comparisons));
}

function indexOf(members: ReadonlyMap<string, readonly Comparison[] | undefined>): NameIndex<Member> {
  const index = new NameIndex<Member>();
  let place = 0;
  for (const [name, comparisons] of members)
    index.set(name, { place: place++, values: comparisons && new ValueClasses(comparisons) });
  return index;
}

interface Known<T> {
  readonly value: T;
  /** How many values did not read as the type that they were compared as, while that was found out. */
  readonly unreadable: number;
}

/** What is known of the classes of the payload that was asked about last. Plans outlive payloads, so it does not refer to one. */
export class ByClass<T> {
  private readonly known = new Map<RecordClass, Known<T>>();
  private subject = -1;
  /** The class that was asked for last: that of the next record is often the same. */
  private like: RecordClass = NO_CLASS;
  private latest: Known<T> | undefined;

  /** Reports what was unreadable as if the record itself were asked. */
  get({ subject, like }: RecordView): T | undefined {
    if (subject.serial !== this.subject) this.begin(subject);
    if (like !== this.like) {
      this.latest = this.known.get(like);
      this.like = like;
    }
    const { latest } = this;
    if (latest === undefined) return undefined;
    for (let count = latest.unreadable; count > 0; count--) subject.onUnreadable();
    return latest.value;
  }

  /** @param before how many values were unreadable before the record was asked */
  set({ subject, like }: RecordView, value: T, before: number): void {
    if (this.known.size >= MAX_CLASSES) this.known.clear();
    this.latest = { value, unreadable: subject.unreadable - before };
    this.like = like;
    this.known.set(like, this.latest);
  }

  private begin({ serial }: Subject): void {
    this.known.clear();
    this.subject = serial;
    this.like = NO_CLASS;
  }
}
