import { NameIndex } from '../paths/name-index.ts';
import type { Segment } from '../paths/path.ts';
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

/** @param wanted the places of the paths at which a value is created */
export function creationsAt<Note>(
  paths: PlanPaths<Note>,
  state: State<Note>,
  wanted: ReadonlySet<number>,
): CreationsOf<Note> {
  const among = (kinds: ReadonlySet<Segment['kind']>): readonly CreationOf<Note>[] => {
    const creating = paths.creatingFrom(state, wanted, kinds);
    return creating?.names.map((name) => creationOf(name, creating.state)) ?? [];
  };
  const creations = among(CREATED_IN_OBJECT);
  if (creations.length === 0) return NO_CREATIONS;
  return { creations, creationsAnew: among(CREATED_ANEW), places: placesOf(creations) };
}

function creationOf<Note>(name: string, state: State<Note>): CreationOf<Note> {
  return { name, label: `${JSON.stringify(name)}:`, state: state.memberNamed(name) };
}

function placesOf(creations: readonly { readonly name: string }[]): NameIndex<number> {
  const index = new NameIndex<number>();
  for (const [place, { name }] of creations.entries()) index.set(name, place);
  return index;
}
