import { NameIndex } from '../paths/name-index.ts';
import type { Segment } from '../paths/path.ts';
import type { Position } from '../paths/position.ts';
import type { Route } from '../paths/route.ts';
import type { State } from '../paths/state.ts';
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

const CREATED_IN_OBJECT: ReadonlySet<Segment['kind']> = new Set(['name', 'index', 'union']);
const CREATED_ANEW: ReadonlySet<Segment['kind']> = new Set(['name', 'union']);

/** How many properties that may be created are kept and in how many sets, so that no payload fills the memory. */
const MAX_KNOWN = 4096;

/** Finds what a plan may create, once for all states at which the same paths do so. */
export class FoundCreations<Note> {
  private readonly paths: PlanPaths<Note>;
  private readonly wanted: ReadonlySet<number>;
  private readonly followsRoutes: boolean;
  private readonly known = new Map<string, CreationsOf<Note>>();
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
    const positions = paths.creating.positionsAt(state);
    if (positions.length === 0) return NO_CREATIONS;
    const route = this.followsRoutes ? state.route : undefined;
    const key = `${paths === this.paths ? '' : 'apart '}${route?.number ?? ''}/${positions.join(' ')}`;
    const known = this.known.get(key);
    if (known) return known;
    const creations = this.find(paths, positions, route);
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
    positions: readonly Position[],
    route: Route | undefined,
  ): CreationsOf<Note> {
    const state = paths.stateAt(positions, route);
    const among = (kinds: ReadonlySet<Segment['kind']>): readonly CreationOf<Note>[] =>
      paths.creating.namesAfter(positions, this.wanted, kinds).map((name) => creationOf(name, state));
    const creations = among(CREATED_IN_OBJECT);
    if (creations.length === 0) return NO_CREATIONS;
    return { creations, creationsAnew: among(CREATED_ANEW), places: placesOf(creations) };
  }
}

function creationOf<Note>(name: string, state: State<Note>): CreationOf<Note> {
  return { name, label: `${JSON.stringify(name)}:`, state: state.memberNamed(name) };
}

function placesOf(creations: readonly { readonly name: string }[]): NameIndex<number> {
  const index = new NameIndex<number>();
  for (const [place, { name }] of creations.entries()) index.set(name, place);
  return index;
}
