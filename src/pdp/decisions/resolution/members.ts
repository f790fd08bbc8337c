import {
  Kind,
  MAX_NAMES,
  NO_KEY_ID,
  after,
  firstIn,
  keyIdOf,
  kindOf,
  stringAt,
  valueOf,
  type JsonDocument,
  type Node,
} from '../../../core/index.ts';
import { mayDeny } from '../lost-denial.ts';
import { isLikeCondition, isLikePart } from './misspelt.ts';

/** A part of an answer is not plain, so the generic reader has to read it. */
export class Doubt extends Error {
  override readonly name = 'Doubt';
}
/** One for all: it is no news to anyone. */
export const doubt = new Doubt();

/** The members that the parts of an entry have, each with its place in {@link PartMembers}. */
const MEMBERS = {
  path: 1,
  resourceType: 2,
  attributes: 3,
  actions: 4,
  policies: 5,
  accessPolicies: 6,
  action: 7,
  value: 8,
  'asset-attributes-filter': 9,
  name: 10,
  policyName: 11,
  metadata: 12,
  AND: 13,
  OR: 14,
  attribute: 15,
  operator: 16,
  type: 17,
  values: 18,
  match: 19,
} as const;
type MemberName = keyof typeof MEMBERS;

const PLACES: ReadonlyMap<string, number> = new Map(Object.entries(MEMBERS));
/** The place of all other names. */
const OTHER = 0;
/** The place of names that are like those of a condition or of another part: the generic reader knows whether they are. */
const LIKE_KNOWN = PLACES.size + 1;
/** The place of names that say elsewhere whether something is permitted. */
const MAY_DENY = PLACES.size + 2;
const COUNT = PLACES.size + 3;
const NOT_LOOKED_UP = 255;

/** The members of the object that was read last, of those that a kind of object has. */
export class PartMembers {
  /** Where each value is, by its member's place; 0 if it is null or missing. */
  readonly nodes = new Int32Array(COUNT);
  private readonly known: number;

  constructor(names: readonly MemberName[]) {
    this.known = names.reduce((bits, name) => bits | (1 << MEMBERS[name]), 0);
  }

  has(place: number): boolean {
    return (this.known & (1 << place)) !== 0;
  }

  /** The value of a member; 0 if it is null or missing. */
  get(name: MemberName): Node {
    return this.nodes[MEMBERS[name]] ?? 0;
  }
}

/**
 * Reads the elements of an array. Most arrays of decisions have one or two, for which no more room is made: an array that grows
 * from nothing makes room for seventeen.
 *
 * @throws Doubt if it is no array
 */
export function listAt<T>(doc: JsonDocument, array: Node, read: (element: Node) => T): T[] {
  if (kindOf(doc, array) !== Kind.array) throw doubt;
  const stop = after(doc, array);
  const first = firstIn(array);
  if (first >= stop) return [];
  const second = after(doc, first);
  if (second >= stop) return [read(first)];
  const values = [read(first), read(second)];
  for (let element = after(doc, second); element < stop; element = after(doc, element))
    values.push(read(element));
  return values;
}

/** What is known of the ids of names. They mean the same in all texts of one generation, and something else in others. */
class KnownNames {
  readonly generation: number;
  /** The names. Each is a copy: the text that it is from is not held. */
  readonly names: string[] = [];
  readonly places = new Uint8Array(MAX_NAMES).fill(NOT_LOOKED_UP);

  constructor(generation: number) {
    this.generation = generation;
  }
}
let knownNames = new KnownNames(-1);

/** By the ids of names: the object in which each was met last. */
const MET_IN = new Int32Array(MAX_NAMES);
let readers = 0;

/** Reads members of objects from the tape, as far as objects are plain: names are unique and written without escapes. */
export class MemberReader {
  private readonly doc: JsonDocument;
  private readonly known: KnownNames;
  private readonly number: number;

  /** Invalidates the reader before it: they share a table. */
  constructor(doc: JsonDocument) {
    this.doc = doc;
    if (knownNames.generation !== doc.generation) knownNames = new KnownNames(doc.generation);
    this.known = knownNames;
    this.number = ++readers;
    MET_IN.fill(0);
  }

  /**
   * Finds the members of an object.
   *
   * @param isClosed whether it may have no others
   * @throws Doubt
   */
  read(object: Node, members: PartMembers, isClosed = false): PartMembers {
    const { doc } = this;
    if (readers !== this.number || kindOf(doc, object) !== Kind.object) throw doubt;
    const { nodes } = members;
    nodes.fill(0);
    const stop = after(doc, object);
    for (let name = firstIn(object); name < stop;) {
      const id = keyIdOf(doc, name);
      if (!this.isFirst(id, object)) throw doubt;
      const value = valueOf(name);
      const place = this.placeOf(id, name);
      if (members.has(place)) nodes[place] = kindOf(doc, value) === Kind.null ? 0 : value;
      else if (isClosed || isDoubtful(place) || !this.isHarmless(value)) throw doubt;
      name = after(doc, value);
    }
    return members;
  }

  /** Whether a value that is not read has no rule and no condition in it, and no object with two properties of one name. */
  isHarmless(value: Node): boolean {
    const { doc } = this;
    const kind = kindOf(doc, value);
    if (kind === Kind.object) return this.isHarmlessObject(value);
    if (kind !== Kind.array) return true;
    const stop = after(doc, value);
    for (let element = firstIn(value); element < stop; element = after(doc, element))
      if (!this.isHarmless(element)) return false;
    return true;
  }

  /** Whether a name is, or is like, that of a part of a decision. */
  isOfPart(id: number, name: Node): boolean {
    return (OF_PARTS & (1 << this.placeOf(id, name))) !== 0;
  }

  /** Whether a name is met first in an object whose names are read one after the other; not if that is not known. */
  isFirst(id: number, object: Node): boolean {
    if (readers !== this.number || id === NO_KEY_ID || MET_IN[id] === object) return false;
    MET_IN[id] = object;
    return true;
  }

  /** The name of an id that is met at a node. */
  nameOf(id: number, node: Node): string {
    return (this.known.names[id] ??= stringAt(this.doc, node));
  }

  private isHarmlessObject(object: Node): boolean {
    const { doc } = this;
    const stop = after(doc, object);
    const seen = new Set<number>();
    for (let name = firstIn(object); name < stop;) {
      const id = keyIdOf(doc, name);
      const value = valueOf(name);
      if (id === NO_KEY_ID || seen.has(id) || this.isOfPart(id, name)) return false;
      if (!this.isHarmless(value)) return false;
      seen.add(id);
      name = after(doc, value);
    }
    return true;
  }

  private placeOf(id: number, name: Node): number {
    const { places } = this.known;
    const known = places[id] ?? NOT_LOOKED_UP;
    if (known !== NOT_LOOKED_UP) return known;
    const text = this.nameOf(id, name);
    const place = PLACES.get(text) ?? otherPlaceOf(text);
    places[id] = place;
    return place;
  }
}

/** What names properties in the rules of a rules document. */
const OF_RULES: ReadonlySet<string> = new Set(['properties', 'redact_fields']);

function otherPlaceOf(name: string): number {
  if (isLikeKnown(name)) return LIKE_KNOWN;
  return mayDeny(name) ? MAY_DENY : OTHER;
}

function isLikeKnown(name: string): boolean {
  return isLikeCondition(name) || isLikePart(name) || OF_RULES.has(name);
}

/** Members whose name is, or is nearly, that of another part where they are not read. */
const DOUBTFUL: ReadonlySet<number> = new Set(
  (['resourceType', 'asset-attributes-filter', 'attribute', 'action', 'values', 'AND', 'OR'] as const).map(
    (name) => MEMBERS[name],
  ),
);

/** What conditions, entries and rules have, and names like theirs: a bit for each place. */
const OF_PARTS = [
  MEMBERS['asset-attributes-filter'],
  MEMBERS.operator,
  MEMBERS.AND,
  MEMBERS.OR,
  MEMBERS.resourceType,
  MEMBERS.action,
  LIKE_KNOWN,
].reduce((bits, place) => bits | (1 << place), 0);

/** Whether a member that is not read may be meant as one that is. */
function isDoubtful(place: number): boolean {
  return place === LIKE_KNOWN || place === MAY_DENY || DOUBTFUL.has(place);
}
