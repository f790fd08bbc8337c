import _ from 'lodash';
import { Kind, kindOf } from '../json/document.ts';
import type { Attribute } from '../paths/attribute.ts';
import { Automaton } from '../paths/automaton.ts';
import type { AttributePath } from '../paths/parse.ts';
import type { Path } from '../paths/path.ts';
import { RootStates } from '../paths/root-states.ts';
import type { State } from '../paths/state.ts';
import type { Root } from '../roots.ts';
import { AttributeRests } from './attribute-rests.ts';
import { stateAtPayload, type Frame } from './frame.ts';
import type { Subject } from './record.ts';
import type { WayThrough } from './record-reading.ts';

/** The attributes that what is left of a path reads, after some of its segments. */
type AttributesAfter = (matched: readonly number[]) => readonly Attribute[];

/** How the path of an attribute goes on at roots, and what is then left of it to read of their records. */
export class AttributeWays {
  readonly rests: AttributeRests;
  private readonly path: Path;
  private readonly frame: Frame;
  private readonly attributesAfter: AttributesAfter;
  private readonly automaton: Automaton;
  private start: State | undefined;
  /** By the state at a root; that of a root to which the path does not lead is by this. */
  private readonly throughObjects = new WeakMap<object, WayThrough>();
  private readonly throughArrays = new WeakMap<object, WayThrough>();
  /** That of the root that was asked for last: neighbours are most often alike. */
  private latest: WayThrough | undefined;
  /** What is read of elements, by the state there. */
  private readonly byState = new WeakMap<State, readonly Attribute[]>();

  constructor(path: AttributePath, frame: Frame, attributesAfter: AttributesAfter) {
    this.rests = new AttributeRests(path, frame);
    this.path = path.path;
    this.frame = frame;
    this.attributesAfter = attributesAfter;
    this.automaton = new Automaton([path.path]);
  }

  /** How it goes on at a root: the same for all roots to which it leads alike. */
  through(root: Root, subject: Subject): WayThrough {
    const { doc, roots } = subject;
    const state = this.stateAt(root, subject);
    const isArray = kindOf(doc, roots.nodeOf(root)) === Kind.array;
    const { latest } = this;
    if (latest?.state === state && latest?.isArray === isArray) return latest;
    const ways = isArray ? this.throughArrays : this.throughObjects;
    const way = ways.get(state ?? this) ?? this.makeWay(state, isArray);
    ways.set(state ?? this, way);
    return (this.latest = way);
  }

  /** What is read of an element that is a record, by the state there. */
  attributesIn(state: State): readonly Attribute[] {
    const known = this.byState.get(state);
    if (known) return known;
    const attributes = this.attributesFor(pendingAt(state));
    this.byState.set(state, attributes);
    return attributes;
  }

  private stateAt(root: Root, subject: Subject): State | undefined {
    this.start ??= stateAtPayload(this.automaton, [[this.path, 0]], this.frame);
    const known = subject.rootStates.get(this);
    const states = known ?? new RootStates(subject.doc, subject.roots, this.start);
    if (known === undefined) subject.rootStates.set(this, states);
    return states.at(root);
  }

  private makeWay(state: State | undefined, isArray: boolean): WayThrough {
    const here = pendingAt(state).filter((matched) => !isArray || !this.isElementAlone(matched));
    const left = isArray && here.length > 0 ? leftInElements(state) : here;
    const isIndexed = left === undefined;
    const leadsOn = here.some((matched) => this.rests.leadsOn(matched, isArray));
    return { state, isArray, isIndexed, leadsOn, attributes: isIndexed ? [] : this.attributesFor(left) };
  }

  /** What is read of a record at which so much of the path is left. */
  private attributesFor(left: readonly number[]): readonly Attribute[] {
    const said = this.rests.among(left);
    if (said.length === 0) return [];
    const read = this.rests.readOf(said);
    return this.attributesAfter(
      read.filter((count) => !read.includes(count - 1) || !this.isReadByDescent(count)),
    );
  }

  /** Whether an index is all that is left: it names an element and nothing in it, so that the path is one of the record. */
  private isElementAlone(matched: number): boolean {
    return matched === this.path.length - 1 && this.path[matched]?.kind === 'index';
  }

  /** Whether a name is left that the `..` before it reads at any depth, if that is left as well. */
  private isReadByDescent(matched: number): boolean {
    return this.path[matched]?.kind === 'name' && this.path[matched - 1]?.kind === 'descend';
  }
}

function pendingAt(state: State | undefined): readonly number[] {
  return state === undefined ? [] : Array.from(state.pending(), ([, matched]) => matched);
}

/** What is left of a path in the elements of an array, in nested ones as well; undefined if it is not the same in all of them. */
function leftInElements(state: State | undefined): readonly number[] | undefined {
  if (state?.isIndexed === true) return undefined;
  const inside = state?.anyElement();
  if (inside?.isIndexed === true) return undefined;
  const left = pendingAt(inside);
  return _.isEqual(left, pendingAt(inside?.anyElement())) ? left : undefined;
}
