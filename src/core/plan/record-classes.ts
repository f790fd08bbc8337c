import {
  after,
  endOf,
  firstIn,
  Kind,
  keyIdOf,
  kindOf,
  nameAfter,
  startOf,
  valueOf,
  type Node,
} from '../json/document.ts';
import { NO_KEY_ID } from '../json/key-interner.ts';
import { ElementStates } from '../paths/element-states.ts';
import { Pairs } from '../paths/pairs.ts';
import { stateAtObject } from '../paths/sole-element.ts';
import type { State } from '../paths/state.ts';
import type { Root } from '../roots.ts';
import type { RecordAttribute } from './record-attribute.ts';
import type { RecordConditions } from './record-condition.ts';
import { MAX_CLASSES, NO_CLASS, type ClassNode, type RecordClass } from './record-class.ts';
import type { Member, PatternMember, Scope } from './record-scope.ts';
import { RecordScopes } from './record-scopes.ts';
import type { RecordView, Subject } from './record.ts';
import { UNSORTED, ValueClasses } from './value-classes.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const OBJECT = Kind.object;
const ARRAY = Kind.array;
const TRUE = Kind.true;

/** What conditions read of a record is compared if it has no more parts, of which each takes no more than this in characters. */
const MAX_PARTS = 256;
const MAX_LENGTH = 1024;
/** An array that takes more words on the tape is compared as it is spelt. */
const MAX_WORDS = 128;
/** Of a name after more others, it is not found out whether it is one of them. */
const FEW_NAMES = 32;

/** A member of an object. */
interface PlacedMember {
  readonly object: Node;
  /** The number of the object among those that were looked at. */
  readonly serial: number;
  readonly name: Node;
}

/** What is paired first: for patterns, for the end of a container in which they go on, and for members that are read by their names. */
const PATTERN = 0;
const END = 1;
const MEMBER = 2;
/** What is paired with a pattern if an object begins. Less is a kind, more a class of values. */
const BEGINNING = 8;

/**
 * Sorts the records of one payload into classes: all conditions of a plan hold alike for records of one class, as these are the
 * same in what conditions read. So a record costs what is in it, however many conditions there are.
 */
export class RecordClasses {
  private readonly subject: Subject;
  private readonly scopes: RecordScopes;
  /** How many objects were looked at, and how many ways patterns lead to values. */
  private objects = 0;
  private patternMembers = 0;
  /** Numbers what patterns lead to. */
  private readonly pairs = new Pairs();
  /** How many parts of the record count so far. */
  private parts = 0;
  /** Whether members to which patterns lead are compared as they are spelt. */
  private isSpelt = false;
  /** Whether they have to be, as far as is known. */
  private mustSpell = false;

  constructor(subject: Subject, conditions: RecordConditions) {
    this.subject = subject;
    this.scopes = new RecordScopes(subject, conditions);
  }

  of(record: RecordView): RecordClass {
    const scope = this.scopes.of(record);
    if (scope === undefined) return NO_CLASS;
    const { doc } = this.subject;
    if (kindOf(doc, record.node) !== Kind.object) return scope.none;
    const { likeness } = record;
    if (likeness?.unreadIn === scope.number) return scope.top.number;
    const found = this.classOf(record.node, scope);
    if (likeness !== undefined && found === scope.top) likeness.unreadIn = scope.number;
    return found?.number ?? NO_CLASS;
  }

  /**
   * One of the roots to which the paths of conditions lead alike, for each way in which they do.
   *
   * @returns undefined if this is not known for an attribute
   */
  unlikeRoots(attribute: RecordAttribute): readonly Root[] | undefined {
    return this.scopes.unlikeRoots(attribute);
  }

  /** @returns undefined if too much is read */
  private classOf(object: Node, scope: Scope): ClassNode | undefined {
    this.begin(false);
    const found = this.classAfter(scope.top, object, scope.patterns, scope, scope.members);
    if (!this.mustSpell) return found;
    this.begin(true);
    return this.classAfter(scope.top, object, scope.patterns, scope, scope.members);
  }

  private begin(isSpelt: boolean): void {
    this.parts = 0;
    this.isSpelt = isSpelt;
    this.mustSpell = false;
  }

  /**
   * One part after the other is one class after the other.
   *
   * @param patterns how far patterns have come at the object
   * @param members those of the object that are read by their names
   * @returns undefined if too much is read, or if members have to be compared as they are spelt
   */
  private classAfter(
    before: ClassNode,
    object: Node,
    patterns: State<PatternMember> | undefined,
    scope: Scope,
    members: Scope['members'] | undefined,
  ): ClassNode | undefined {
    const { doc } = this.subject;
    const { tape } = doc;
    const serial = this.objects++;
    const stop = tape[object + 1]!;
    const start = patterns && stateAtObject(doc, object, patterns);
    let found: ClassNode | undefined = before;
    for (let name = firstIn(object); name < stop && found !== undefined;) {
      const value = valueOf(name);
      const kind = tape[value]! & 7;
      const member = members && this.memberAt(name, scope);
      const state = start?.member(doc, name);
      if (member !== undefined) found = this.afterMember(found, name, scope, member);
      if (state !== undefined && found !== undefined)
        found = this.isSpelt
          ? this.afterSpelt(found, name, state, scope, member)
          : this.afterPattern(found, { object, serial, name }, state, scope);
      name = kind >= OBJECT ? tape[value + 1]! : value + 1;
    }
    return found;
  }

  private afterMember(
    before: ClassNode,
    name: Node,
    scope: Scope,
    { place, values }: Member,
  ): ClassNode | undefined {
    const { doc } = this.subject;
    const value = valueOf(name);
    if ((doc.tape[value]! & 7) === ARRAY && this.isShort(value))
      return this.afterList(before, this.pairs.of(MEMBER, place), values, value, scope);
    const like = values.of(doc, value);
    const part = like * scope.memberCount + place;
    const isSorted = like !== UNSORTED && Number.isSafeInteger(part);
    return this.extended(before, isSorted ? part : this.spelt(name, value, scope), scope);
  }

  /** The same for a member to which patterns lead, as it is spelt. */
  private afterSpelt(
    before: ClassNode,
    name: Node,
    { accepts }: State<PatternMember>,
    scope: Scope,
    member: Member | undefined,
  ): ClassNode | undefined {
    const value = valueOf(name);
    // Nothing is in a scalar; yet it may be the last of its name.
    const mayCount = (this.subject.doc.tape[value]! & 7) >= OBJECT || accepts.length > 0 || this.parts > 0;
    if (!mayCount && member === undefined) return before;
    return this.extended(before, this.spelt(name, value, scope), scope);
  }

  /** The same otherwise: the name does not matter. */
  private afterPattern(
    before: ClassNode,
    { object, serial, name }: PlacedMember,
    state: State<PatternMember>,
    scope: Scope,
  ): ClassNode | undefined {
    const value = valueOf(name);
    const note = this.noteAt(state);
    // Members to which patterns lead alike may have one name, of which the last counts.
    if (!state.isKept || (note.object >= serial && this.mayRepeat(object, name))) {
      this.mustSpell = true;
      return undefined;
    }
    const isRead = (this.subject.doc.tape[value]! & 7) >= OBJECT || state.accepts.length > 0;
    if (!isRead) return before;
    note.object = serial;
    return this.afterValue(before, value, state, scope);
  }

  /** Whether another member before this one may have its name. */
  private mayRepeat(object: Node, name: Node): boolean {
    const { doc } = this.subject;
    const number = keyIdOf(doc, name);
    if (number === NO_KEY_ID) return true;
    let others = 0;
    for (let at = firstIn(object); at < name; at = nameAfter(doc, at)) {
      const other = keyIdOf(doc, at);
      if (other === number || other === NO_KEY_ID || ++others > FEW_NAMES) return true;
    }
    return false;
  }

  /** The same for a value to which patterns lead. */
  private afterValue(
    before: ClassNode,
    value: Node,
    state: State<PatternMember>,
    scope: Scope,
  ): ClassNode | undefined {
    const { doc } = this.subject;
    const note = this.noteAt(state);
    const kind = doc.tape[value]! & 7;
    if (kind === ARRAY) return this.afterArray(before, value, state, scope);
    if (kind < OBJECT) {
      if (state.accepts.length === 0) return before;
      note.values ??= this.valuesAt(state, scope);
      return this.extended(before, this.partBy(note.number, note.values, value, scope), scope);
    }
    const entered = this.extended(before, this.paired(note.number, BEGINNING), scope);
    const within = entered && this.classAfter(entered, value, state, scope, undefined);
    return within && this.extended(within, this.paired(END, 0), scope);
  }

  private afterArray(
    before: ClassNode,
    array: Node,
    state: State<PatternMember>,
    scope: Scope,
  ): ClassNode | undefined {
    const { doc } = this.subject;
    const note = this.noteAt(state);
    if (!this.isShort(array)) return this.extended(before, this.speltBy(note.number, array, scope), scope);
    note.values ??= this.valuesAt(state, scope);
    const list = state.accepts.length > 0 ? note.values : undefined;
    let found = this.afterList(before, note.number, list, array, scope);
    const states = state.isIndexed ? new ElementStates(state, doc, array) : undefined;
    const stop = doc.tape[array + 1]!;
    for (let at = firstIn(array), index = 0; at < stop && found !== undefined; at = after(doc, at), index++) {
      const next = states === undefined ? state.anyElement() : states.at(index);
      if (next === undefined) continue;
      if (!next.isKept) this.mustSpell = true;
      found = next.isKept ? this.afterValue(found, at, next, scope) : undefined;
    }
    return found && this.extended(found, this.paired(END, 0), scope);
  }

  /**
   * The same for what a list reads as: all that is in it, however deep.
   *
   * @param values the classes of its values, if these are read
   */
  private afterList(
    before: ClassNode,
    number: number | undefined,
    values: ValueClasses | undefined,
    list: Node,
    scope: Scope,
  ): ClassNode | undefined {
    const { tape } = this.subject.doc;
    let found = this.extended(before, this.paired(number, ARRAY), scope);
    const stop = values === undefined ? list : tape[list + 1]!;
    for (let at = firstIn(list); at < stop && found !== undefined;) {
      const kind = tape[at]! & 7;
      if (kind === OBJECT) found = this.extended(found, this.paired(number, OBJECT), scope);
      else if (kind !== ARRAY && values)
        found = this.extended(found, this.partBy(number, values, at, scope), scope);
      at = kind === ARRAY ? firstIn(at) : kind === OBJECT ? tape[at + 1]! : at + 1;
    }
    return found && this.extended(found, this.paired(END, 0), scope);
  }

  private isShort(array: Node): boolean {
    return this.subject.doc.tape[array + 1]! - array <= MAX_WORDS;
  }

  private valuesAt({ accepts }: State<PatternMember>, scope: Scope): ValueClasses {
    return new ValueClasses(accepts.flatMap((path) => scope.compared[path] ?? []));
  }

  private noteAt(state: State<PatternMember>): PatternMember {
    state.note ??= { number: this.pairs.of(PATTERN, this.patternMembers++), object: -1, values: undefined };
    return state.note;
  }

  /** A part for a pair; those for members as they are spelt are even. */
  private paired(one: number | undefined, other: number): number | undefined {
    const pair = this.pairs.of(one, other);
    return pair && -1 - 2 * pair;
  }

  private extended(before: ClassNode, part: number | undefined, scope: Scope): ClassNode | undefined {
    if (part === undefined) return undefined;
    if (++this.parts > MAX_PARTS) {
      this.mustSpell = true;
      return undefined;
    }
    return before.after(part) ?? this.add(before, part, scope);
  }

  /**
   * A number for a scalar.
   *
   * @param one of what is read there
   */
  private partBy(
    one: number | undefined,
    values: ValueClasses,
    value: Node,
    scope: Scope,
  ): number | undefined {
    const { doc } = this.subject;
    const kind = doc.tape[value]! & 7;
    if (kind >= TRUE) return this.paired(one, kind);
    const like = values.of(doc, value);
    const part = like === UNSORTED ? undefined : this.paired(one, BEGINNING + 1 + like);
    return part ?? this.speltBy(one, value, scope);
  }

  private add(before: ClassNode, part: number, scope: Scope): ClassNode {
    if (scope.count++ >= MAX_CLASSES) {
      scope.top.clear();
      scope.count = 1;
    }
    return before.add(part);
  }

  /** A number for a member of the record: the same for those that are spelt alike. @returns undefined if it is too long */
  private spelt(name: Node, value: Node, scope: Scope): number | undefined {
    const text = this.rawText(name, value);
    return text === undefined ? undefined : -2 - 2 * this.numberOf(text, scope);
  }

  /** The same for a value. @param one of what is read there */
  private speltBy(one: number | undefined, value: Node, scope: Scope): number | undefined {
    const text = this.rawText(value, value);
    if (text === undefined) return undefined;
    return this.paired(this.pairs.of(one, BEGINNING), this.numberOf(text, scope));
  }

  private numberOf(text: string, scope: Scope): number {
    const { texts } = scope;
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size >= MAX_CLASSES) this.forget(scope);
    texts.set(text, scope.numbered);
    return scope.numbered++;
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
}
