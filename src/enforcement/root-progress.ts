import type { Path, State } from '../core/index.ts';

/** How far a path has come at a value that it leads to, in segments. */
interface Reach {
  /** -1 if it goes no further from here. */
  readonly matched: number;
  /** Up to which segment an array without elements could still hold what it leads to; undefined if it could not. */
  readonly possible: number | undefined;
}

/** The states of the automaton of a root's path know how far it has come there. */
export type RootState = State<Reach>;

/**
 * Tells a root that has no records yet from one that is misspelt: neither is found.
 *
 * What an array without elements could hold is not known. But if the path comes as far in a value that has no such property, the data
 * contradicts it, and what is there would stay unmasked.
 */
export class RootProgress {
  private readonly path: Path;
  /** How far the path comes in what is no array. */
  private contradicted = -1;
  /** Up to where it may be right. */
  private possible = -Infinity;

  constructor(path: Path) {
    this.path = path;
  }

  meetEmptyArray(state: RootState): void {
    const { possible } = this.reachOf(state);
    if (possible !== undefined && possible > this.possible) this.possible = possible;
  }

  /** Meets an object, a scalar or null. */
  meet(state: RootState): void {
    const { matched } = this.reachOf(state);
    if (matched > this.contradicted) this.contradicted = matched;
  }

  /** Whether records may only be missing, if none was found. */
  get lacksRecordsOnly(): boolean {
    return this.possible >= this.contradicted;
  }

  private reachOf(state: RootState): Reach {
    state.note ??= this.reachAt([...state.pending()].map(([, matched]) => matched));
    return state.note;
  }

  private reachAt(pending: readonly number[]): Reach {
    let matched = -1;
    let possible: number | undefined;
    for (const at of pending) {
      matched = Math.max(matched, at);
      const inEmpty = this.possibleIn(at);
      if (inEmpty !== undefined) possible = Math.max(possible ?? inEmpty, inEmpty);
    }
    return { matched, possible };
  }

  /** `#` and `[*]` ask for elements. A name is looked for in each element as it would be in an object, and an index is not there. */
  private possibleIn(at: number): number | undefined {
    const kind = this.path[at]?.kind;
    if (kind === 'each' || kind === 'any') return at;
    return kind === 'name' || kind === 'wildcard' ? at - 1 : undefined;
  }
}
