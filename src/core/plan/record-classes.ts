import {
  after,
  endOf,
  firstIn,
  Kind,
  keyIdOf,
  kindOf,
  startOf,
  valueOf,
  type Node,
} from '../json/document.ts';
import { NO_KEY_ID } from '../json/key-interner.ts';
import { Automaton } from '../paths/automaton.ts';
import { NameIndex } from '../paths/name-index.ts';
import { RootStates } from '../paths/root-states.ts';
import type { State } from '../paths/state.ts';
import type { Root } from '../roots.ts';
import type { Comparison } from '../conditions/comparison.ts';
import { stateAtPayload } from './frame.ts';
import type { RecordAttribute } from './record-attribute.ts';
import type { RecordConditions } from './record-condition.ts';
import type { RecordView, Subject } from './record.ts';
import { ValueClasses } from './value-classes.ts';

/** A number for records that are alike; never used again for others. */
export type RecordClass = number;
/** Of records of which it is not known which others are like them. */
export const NO_CLASS: RecordClass = -1;

/** What conditions read of a record is compared if each part takes no more than this, in characters. */
const MAX_LENGTH = 1024;
/** How many classes of one payload are known at a time. */
const MAX_CLASSES = 4096;

/** A member that conditions read. */
interface Member {
  /** Its place among those. */
  readonly place: number;
  /** The classes of its values, if nothing in it is read. */
  readonly values: ValueClasses | undefined;
}

/** How the records of some roots are read: alike by all conditions. */
interface Scope {
  /** The class of records that have nothing that is read. */
  readonly empty: RecordClass;
  /** The names of the members that are read; undefined if any may be. */
  readonly members: NameIndex<Member> | undefined;
  /** The same by the numbers of their names in the text; null is none of them. */
  readonly byNumber: (Member | null | undefined)[];
  readonly classes: Map<string, RecordClass>;
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
    if (kindOf(doc, record.node) !== Kind.object) return scope.empty;
    const text = scope.members
      ? this.textOf(record.node, scope, scope.members)
      : this.rawText(record.node, record.node);
    if (text === '') return scope.empty;
    return text === undefined ? NO_CLASS : this.classOf(text, scope);
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

  private classOf(text: string, { classes: known }: Scope): RecordClass {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MAX_CLASSES) known.clear();
    const added = classes++;
    known.set(text, added);
    return added;
  }

  /** The members that are read, each in a line: by the class of its value, or as it is spelt. @returns undefined if it is too long */
  private textOf(object: Node, scope: Scope, members: NameIndex<Member>): string | undefined {
    const { doc } = this.subject;
    const stop = after(doc, object);
    let text = '';
    for (let name = firstIn(object); name < stop;) {
      const value = valueOf(name);
      const member = this.memberAt(name, scope, members);
      if (member) {
        const like = member.values?.of(doc, value);
        const line = like === undefined ? this.rawText(name, value) : `${member.place} ${like}`;
        if (line === undefined || text.length > MAX_LENGTH) return undefined;
        text += `${line}\n`;
      }
      name = after(doc, value);
    }
    return text;
  }

  private memberAt(name: Node, { byNumber }: Scope, members: NameIndex<Member>): Member | undefined {
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
    const { attributes } = this.conditions;
    const members = new Map<string, Comparison[] | undefined>();
    let areAllRead = false;
    for (const attribute of attributes) {
      const read = attribute.membersReadIn(record);
      if (read === 'by index') return null;
      for (const { name, isWhole } of read) {
        if (name === undefined) areAllRead = true;
        else addMember(members, name, isWhole ? attribute.comparisons : undefined);
      }
    }
    return {
      empty: classes++,
      members: areAllRead ? undefined : indexOf(members),
      byNumber: [],
      classes: new Map(),
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

  /** Reports what was unreadable as if the record itself were asked. */
  get({ subject, like }: RecordView): T | undefined {
    if (subject.serial !== this.subject) {
      this.known.clear();
      this.subject = subject.serial;
    }
    const known = this.known.get(like);
    for (let count = known?.unreadable ?? 0; count > 0; count--) subject.onUnreadable();
    return known?.value;
  }

  /** @param before how many values were unreadable before the record was asked */
  set({ subject, like }: RecordView, value: T, before: number): void {
    if (this.known.size >= MAX_CLASSES) this.known.clear();
    this.known.set(like, { value, unreadable: subject.unreadable - before });
  }
}
