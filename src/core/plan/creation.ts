import _ from 'lodash';
import { NameIndex } from '../paths/name-index.ts';
import type { PositionSet } from '../paths/position-set.ts';
import type { Route } from '../paths/route.ts';
import type { State } from '../paths/state.ts';
import type { CreatingPaths, WantedName } from './creating-paths.ts';
import type { PlanPaths } from './plan-paths.ts';

/** A property that may be created: its name, also as JSON with the colon, and the state that its value has. */
export interface CreationOf<Note> {
  readonly name: string;
  readonly label: string;
  readonly state: State<Note> | undefined;
}

/** What may be created in a value. */
export interface CreationsOf<Note> {
  /** The properties that a literal may be set at, or below, if the object here lacks them. */
  readonly creations: readonly CreationOf<Note>[];
  /** The same for null: digits may then be an index as well as a name, and create nothing. */
  readonly creationsAnew: readonly CreationOf<Note>[];
  /** The place of each of those names among them. */
  readonly places: NameIndex<number>;
}

export const NO_CREATIONS: CreationsOf<never> = { creations: [], creationsAnew: [], places: new NameIndex() };

/** How many properties that may be created are kept and in how many sets, so that no payload fills the memory. */
const MAX_KNOWN = 4096;

/** Finds what a plan may create, once for all states at which the same paths do so. */
export class FoundCreations<Note> {
  private readonly paths: PlanPaths<Note>;
  private readonly wanted: ReadonlySet<number>;
  private readonly followsRoutes: boolean;
  private readonly known = new Map<string, CreationsOf<Note>>();
  /** The names that are looked for next, by the positions. */
  private readonly names = new WeakMap<PositionSet, readonly WantedName[]>();
  private count = 0;

  /**
   * @param wanted the places of the paths at which a value is created
   * @param followsRoutes whether it also depends on the route to a property what is set there
   */
  constructor(paths: PlanPaths<Note>, wanted: ReadonlySet<number>, followsRoutes: boolean) {
    this.paths = paths;
    this.wanted = wanted;
    this.followsRoutes = followsRoutes;
  }

  at(state: State<Note>): CreationsOf<Note> {
    const paths = this.paths.of(state);
    const sets = state.sets
      .map((set) => paths.creating.among(set))
      .filter(({ positions }) => positions.length > 0);
    if (sets.length === 0) return NO_CREATIONS;
    const route = this.followsRoutes ? state.route : undefined;
    const key = `${paths === this.paths ? '' : 'apart '}${route?.number ?? ''}/${sets.map(({ number }) => number).join(' ')}`;
    const known = this.known.get(key);
    if (known) return known;
    const creations = this.find(paths, sets, route);
    this.keep(key, creations);
    return creations;
  }

  private keep(key: string, creations: CreationsOf<Note>): void {
    this.count += 1 + creations.creations.length;
    if (this.count > MAX_KNOWN) {
      this.known.clear();
      this.count = 0;
    }
    this.known.set(key, creations);
  }

  private find(
    paths: PlanPaths<Note>,
    sets: readonly PositionSet[],
    route: Route | undefined,
  ): CreationsOf<Note> {
    const { creating } = paths;
    const creations = this.creationsAt(paths, sets, route);
    if (creations.length === 0) return NO_CREATIONS;
    const anew = sets.map((set) => creating.anew(set));
    const isAlike = anew.every((set, at) => set === sets[at]);
    const creationsAnew = isAlike ? creations : this.creationsAt(paths, anew, route);
    return { creations, creationsAnew, places: placesOf(creations) };
  }

  private creationsAt(
    paths: PlanPaths<Note>,
    sets: readonly PositionSet[],
    route: Route | undefined,
  ): readonly CreationOf<Note>[] {
    const names = sets.flatMap((set) => this.namesAt(set, paths.creating));
    return names.length === 0 ? [] : creationsOf(names, paths.stateAt(sets, route));
  }

  private namesAt(set: PositionSet, creating: CreatingPaths): readonly WantedName[] {
    const known = this.names.get(set);
    if (known) return known;
    const found = creating.namesAfter(set, this.wanted);
    this.names.set(set, found);
    return found;
  }
}

function creationsOf<Note>(names: readonly WantedName[], state: State<Note>): readonly CreationOf<Note>[] {
  const ordered = _.sortBy(names, 'place');
  return Array.from(new Set(ordered.map(({ name }) => name)), (name) => creationOf(name, state));
}

function creationOf<Note>(name: string, state: State<Note>): CreationOf<Note> {
  return { name, label: `${JSON.stringify(name)}:`, state: state.memberNamed(name) };
}

function placesOf(creations: readonly { readonly name: string }[]): NameIndex<number> {
  const index = new NameIndex<number>();
  for (const [place, { name }] of creations.entries()) index.set(name, place);
  return index;
}
