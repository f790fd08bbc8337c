import { endOf, firstIn, Kind, keyIdOf, kindOf, startOf, valueOf, type Node } from '../json/document.ts';
import { NO_KEY_ID } from '../json/key-interner.ts';
import { Automaton } from '../paths/automaton.ts';
import { Pairs } from '../paths/pairs.ts';
import type { Path } from '../paths/path.ts';
import { RootStates } from '../paths/root-states.ts';
import { stateAtObject } from '../paths/sole-element.ts';
import type { State } from '../paths/state.ts';
import type { Root } from '../roots.ts';
import { stateAtPayload } from './frame.ts';
import type { RecordAttribute } from './record-attribute.ts';
import type { RecordConditions } from './record-condition.ts';
import { MAX_CLASSES, NO_CLASS, type ClassNode, type RecordClass } from './record-class.ts';
import type { Member, PatternMember, Scope } from './record-scope.ts';
import { RecordStates } from './record-states.ts';
import type { RecordView, Subject } from './record.ts';
import { RootScopes } from './root-scopes.ts';
import { unlikeRoots } from './unlike-roots.ts';
import { UNSORTED, ValueClasses } from './value-classes.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const OBJECT = Kind.object;
const ARRAY = Kind.array;
const TRUE = Kind.true;

/** What conditions read of a record is compared if it has no more parts, of which each takes no more than this in characters. */
const MAX_PARTS = 256;
const MAX_LENGTH = 1024;

/** What is paired first: for patterns, and for the end of an object in which they go on. */
const PATTERN = 0;
const END = 1;
/** What is paired with a pattern if an object begins. Less is a kind, more a class of values. */
const BEGINNING = 8;

/**
 * Sorts the records of one payload into classes: all conditions of a plan hold alike for records of one class, as these are the
 * same in what conditions read. So a record costs what is in it, however many conditions there are.
 */
export class RecordClasses {
  private readonly subject: Subject;
  private readonly conditions: RecordConditions;
  /** How many leaves there were when the scopes were made. */
  private known = -1;
  private scopes = new Map<State | undefined, [scopes?: RootScopes, ofArray?: RootScopes]>();
  private states: RootStates<undefined> | undefined;
  private unlike: readonly Root[] | undefined;
  private root: Root = -1;
  private scopesOfRoot: RootScopes | undefined;
  private readonly elements: RecordStates<undefined>;
  /** How many records were looked at, and how many ways patterns lead to members. */
  private record = 0;
  private patternMembers = 0;
  /** Numbers what patterns lead to. */
  private readonly pairs = new Pairs();
  /** How many parts of the record count so far. */
  private parts = 0;
  /** Whether members to which patterns lead are compared as they are spelt. */
  private isSpelt = false;
  /** Whether patterns lead to several members of the record alike, as far as is known. */
  private isRepeated = false;

  constructor(subject: Subject, conditions: RecordConditions) {
    this.subject = subject;
    this.conditions = conditions;
    this.elements = new RecordStates(subject.doc);
  }

  of(record: RecordView): RecordClass {
    const scope = this.scopeOf(record);
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
    if (!this.conditions.reads(attribute)) return undefined;
    this.unlike ??= unlikeRoots(this.subject, this.statesFor(this.conditions.paths));
    return this.unlike;
  }

  /** @returns undefined if too much is read */
  private classOf(object: Node, scope: Scope): ClassNode | undefined {
    this.begin(false);
    const found = this.classAfter(scope.top, object, scope.patterns, scope, scope.members);
    if (!this.isRepeated) return found;
    this.begin(true);
    return this.classAfter(scope.top, object, scope.patterns, scope, scope.members);
  }

  private begin(isSpelt: boolean): void {
    this.record++;
    this.parts = 0;
    this.isSpelt = isSpelt;
    this.isRepeated = false;
  }

  /**
   * One part after the other is one class after the other.
   *
   * @param patterns how far patterns have come at the object
   * @param members those of the object that are read by their names
   * @returns undefined if too much is read, or if patterns lead to several members alike
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
    const stop = tape[object + 1]!;
    const start = patterns && stateAtObject(doc, object, patterns);
    let found: ClassNode | undefined = before;
    for (let name = firstIn(object); name < stop && found !== undefined;) {
      const value = valueOf(name);
      const kind = tape[value]! & 7;
      const member = members && this.memberAt(name, scope);
      const state = start?.member(doc, name);
      if (state !== undefined) found = this.classAfterPattern(found, name, state, scope, member);
      else if (member !== undefined)
        found = this.extended(found, this.partOf(name, value, scope, member), scope);
      name = kind >= OBJECT ? tape[value + 1]! : value + 1;
    }
    return found;
  }

  /** The same for a member to which patterns lead. If nothing else reads it, its name does not matter. */
  private classAfterPattern(
    before: ClassNode,
    name: Node,
    state: State<PatternMember>,
    scope: Scope,
    member: Member | undefined,
  ): ClassNode | undefined {
    const { doc } = this.subject;
    const value = valueOf(name);
    const kind = doc.tape[value]! & 7;
    const note = (state.note ??= this.newPatternMember());
    const isRepeated = note.record === this.record;
    // Nothing is in a scalar; yet it may be the last of its name.
    const isRead = kind >= OBJECT || state.accepts.length > 0 || isRepeated;
    if (member === undefined && !(this.isSpelt ? isRead || this.parts > 0 : isRead)) return before;
    if (!this.isSpelt && (isRepeated || !state.isKept)) {
      // Members to which patterns lead alike may have one name, of which the last counts.
      this.isRepeated = true;
      return undefined;
    }
    note.record = this.record;
    if (this.isSpelt || member !== undefined || kind === ARRAY)
      return this.extended(before, this.partOf(name, value, scope, undefined), scope);
    if (kind < OBJECT) return this.extended(before, this.partBy(state, note, name, value, scope), scope);
    const entered = this.extended(before, this.paired(note.number, BEGINNING), scope);
    const within = entered && this.classAfter(entered, value, state, scope, undefined);
    return within && this.extended(within, this.paired(END, 0), scope);
  }

  private newPatternMember(): PatternMember {
    return { number: this.pairs.of(PATTERN, this.patternMembers++), record: -1, values: undefined };
  }

  /** A part for a pair; those for members as they are spelt are even. */
  private paired(one: number | undefined, other: number): number | undefined {
    const pair = this.pairs.of(one, other);
    return pair && -1 - 2 * pair;
  }

  private extended(before: ClassNode, part: number | undefined, scope: Scope): ClassNode | undefined {
    if (part === undefined || ++this.parts > MAX_PARTS) return undefined;
    return before.after(part) ?? this.add(before, part, scope);
  }

  /** A number for a scalar to which patterns lead. */
  private partBy(
    { accepts }: State<PatternMember>,
    note: PatternMember,
    name: Node,
    value: Node,
    scope: Scope,
  ): number | undefined {
    const { doc } = this.subject;
    const kind = doc.tape[value]! & 7;
    if (kind >= TRUE) return this.paired(note.number, kind);
    note.values ??= new ValueClasses(accepts.flatMap((path) => scope.compared[path] ?? []));
    const like = note.values.of(doc, value);
    const part = like === UNSORTED ? undefined : this.paired(note.number, BEGINNING + 1 + like);
    return part ?? this.partOf(name, value, scope, undefined);
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
      const part = like * scope.memberCount + member.place;
      if (like !== UNSORTED && Number.isSafeInteger(part)) return part;
    }
    const text = this.rawText(name, value);
    return text === undefined ? undefined : -2 - 2 * this.numberOf(text, scope);
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

  /** @returns undefined if other records are not known that are read alike */
  private scopeOf(record: RecordView): Scope | undefined {
    if (this.conditions.leafCount !== this.known) this.readConditions();
    if (this.scopesOfRoot === undefined || record.root !== this.root) {
      this.scopesOfRoot = this.scopesAt(record);
      this.root = record.root;
    }
    return this.scopesOfRoot.of(record, this.elements);
  }

  /** Conditions are compiled as properties are met, so there may be more than before. */
  private readConditions(): void {
    const { conditions } = this;
    this.known = conditions.leafCount;
    this.states = this.statesFor(conditions.attributes.map(({ path }) => path));
    this.scopes = new Map();
    this.scopesOfRoot = undefined;
  }

  /** Where paths lead at roots. */
  private statesFor(paths: readonly Path[]): RootStates<undefined> {
    const { doc, roots } = this.subject;
    const automaton = new Automaton(paths);
    const read = paths.map((path, number) => [path, number] as const);
    return new RootStates(doc, roots, stateAtPayload(automaton, read, this.conditions.frame));
  }

  private scopesAt(record: RecordView): RootScopes {
    const state = this.states?.at(record.root);
    const { doc, roots } = this.subject;
    const ofArray = kindOf(doc, roots.nodeOf(record.root)) === ARRAY ? 1 : 0;
    const scopes = this.scopes.get(state) ?? [];
    const known = scopes[ofArray];
    if (known !== undefined) return known;
    const added = new RootScopes(record, this.conditions.attributes, state);
    scopes[ofArray] = added;
    this.scopes.set(state, scopes);
    return added;
  }
}
