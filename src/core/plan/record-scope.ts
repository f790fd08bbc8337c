import { Automaton } from '../paths/automaton.ts';
import { NameIndex } from '../paths/name-index.ts';
import type { Path } from '../paths/path.ts';
import type { State } from '../paths/state.ts';
import type { Comparison } from '../conditions/comparison.ts';
import type { RecordAttribute } from './record-attribute.ts';
import { ClassNode, newClass, type RecordClass } from './record-class.ts';
import type { RecordView } from './record.ts';
import { ValueClasses } from './value-classes.ts';

/** A member that conditions read by its name, and nothing in it. */
export class Member {
  /** Its place among those. */
  readonly place: number;
  private readonly comparisons: readonly Comparison[];
  private sorted: ValueClasses | undefined;

  constructor(place: number, comparisons: readonly Comparison[]) {
    this.place = place;
    this.comparisons = comparisons;
  }

  /** The classes of its values: made when a record has it. */
  get values(): ValueClasses {
    this.sorted ??= new ValueClasses(this.comparisons);
    return this.sorted;
  }
}

/** Values to which patterns lead alike. */
export interface PatternMember {
  readonly number: number | undefined;
  /** The object that had one last, by its number. */
  object: number;
  /** The classes of their values. */
  values: ValueClasses | undefined;
}

/** How some records are read: alike by all conditions. */
export interface Scope {
  /** Another one for each scope, of whatever payload. */
  readonly number: number;
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
  readonly patterns: State<PatternMember> | undefined;
  /** What the values at each of these patterns are compared with. */
  readonly compared: readonly (readonly Comparison[])[];
  /** Numbers of names and values as they are spelt. */
  readonly texts: Map<string, number>;
  /** How many texts were numbered: a number is never used again, as a record that is being read may have come to a class by it. */
  numbered: number;
}

let scopes = 0;

/** How a record is read, and those that are read alike. */
export function makeScope(record: RecordView, attributes: readonly RecordAttribute[]): Scope {
  const members = new Map<string, Comparison[]>();
  const patterns: Path[] = [];
  const compared: (readonly Comparison[])[] = [];
  for (const attribute of attributes) {
    for (const { name, path } of attribute.membersReadIn(record)) {
      if (name === undefined) {
        patterns.push(path);
        compared.push(attribute.comparisons);
      } else members.set(name, (members.get(name) ?? []).concat(attribute.comparisons));
    }
  }
  return {
    number: scopes++,
    none: newClass(),
    top: new ClassNode(),
    count: 1,
    members: indexOf(members),
    memberCount: members.size,
    byNumber: [],
    patterns: patterns.length > 0 ? new Automaton<PatternMember>(patterns).start : undefined,
    compared,
    texts: new Map(),
    numbered: 0,
  };
}

function indexOf(members: ReadonlyMap<string, readonly Comparison[]>): NameIndex<Member> {
  const index = new NameIndex<Member>();
  let place = 0;
  for (const [name, comparisons] of members) index.set(name, new Member(place++, comparisons));
  return index;
}
