import _ from 'lodash';
import { NameIndex } from '../paths/name-index.ts';
import type { PositionSet } from '../paths/position-set.ts';
import type { Route } from '../paths/route.ts';
import type { State } from '../paths/state.ts';
import type { CreatingPaths, WantedName } from './creating-paths.ts';
import type { PlanPaths } from './plan-paths.ts';

/** A property that may be created: its name, also as JSON with the colon, and the state that its value has. */
export class CreationOf<Note> {
  readonly name: string;
  readonly label: string;
  /** The place of the only path that leads here, if it ends here: what it says is then all that is created. */
  readonly soleEnd: number | undefined;
  private readonly above: State<Note>;
  private found: { readonly state: State<Note> | undefined } | undefined;

  constructor(name: string, soleEnd: number | undefined, above: State<Note>) {
    this.name = name;
    this.label = `${JSON.stringify(name)}:`;
    this.soleEnd = soleEnd;
    this.above = above;
  }

  /** Made when it is asked for: for most properties, what their one path says is enough. */
  get state(): State<Note> | undefined {
    this.found ??= { state: this.above.memberNamed(this.name) };
    return this.found.state;
  }
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

/** Of more positions, it is asked of states where they lead. */
const FEW = 8;

/** How many properties that may be created are kept and in how many sets, so that no payload fills the memory. */
const MAX_KNOWN = 4096;

/** Finds what a plan may create, once for all states at which the same paths do so. */
export class FoundCreations<Note> {
  private readonly paths: PlanPaths<Note>;
  private readonly wanted: ReadonlySet<number>;
  private readonly open: ReadonlySet<number>;
  private readonly known = new Map<string, CreationsOf<Note>>();
  /** The names that are looked for next, by the positions. */
  private readonly names = new WeakMap<PositionSet, NextNames>();
  private count = 0;

  /**
   * @param wanted the places of the paths at which a value is created
   * @param open the places of those at which it also depends on the route what is tried
   */
  constructor(paths: PlanPaths<Note>, wanted: ReadonlySet<number>, open: ReadonlySet<number>) {
    this.paths = paths;
    this.wanted = wanted;
    this.open = open;
  }

  at(state: State<Note>): CreationsOf<Note> {
    const paths = this.paths.of(state);
    const sets = state.sets
      .map((set) => paths.creating.among(set))
      .filter(({ positions }) => positions.length > 0);
    if (sets.length === 0) return NO_CREATIONS;
    const isOpen = sets.some((set) => this.namesAt(set, paths.creating).open.length > 0);
    const route = isOpen ? state.route : undefined;
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
    const found = sets.map((set) => this.namesAt(set, paths.creating));
    const names = _.sortBy(
      found.flatMap(({ wanted }) => wanted),
      'place',
    );
    if (names.length === 0) return [];
    const open = new Set(found.flatMap((one) => one.open));
    const above = paths.stateAt(sets, undefined);
    const aboveOpen = open.size === 0 ? above : paths.stateAt(sets, route);
    const soleEndOf = soleEndsAfter(paths, sets);
    return Array.from(new Set(names.map(({ name }) => name)), (name) =>
      open.has(name)
        ? new CreationOf(name, undefined, aboveOpen)
        : new CreationOf(name, soleEndOf(name), above),
    );
  }

  private namesAt(set: PositionSet, creating: CreatingPaths): NextNames {
    const known = this.names.get(set);
    if (known) return known;
    const found = {
      wanted: creating.namesAfter(set, this.wanted),
      open: creating.namesAfter(set, this.open).map(({ name }) => name),
    };
    this.names.set(set, found);
    return found;
  }
}

/** The names that some positions look for next. */
interface NextNames {
  /** Those of paths at which a value is created. */
  readonly wanted: readonly WantedName[];
  /** Those of paths at which it depends on the route what is tried. */
  readonly open: readonly string[];
}

/** Finds the place of the only path that leads to a property below some positions, if it ends there and others cannot. */
function soleEndsAfter<Note>(
  { creating }: PlanPaths<Note>,
  sets: readonly PositionSet[],
): (name: string) => number | undefined {
  const positions = sets.flatMap((set) => set.positions);
  if (positions.length > FEW) return () => undefined;
  return (name) => creating.soleEndAfter(positions, name);
}

function placesOf(creations: readonly { readonly name: string }[]): NameIndex<number> {
  const index = new NameIndex<number>();
  for (const [place, { name }] of creations.entries()) index.set(name, place);
  return index;
}
