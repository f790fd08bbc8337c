import type { Path, State } from '../core/index.ts';

/** How far a path has come at a value that it leads to, in segments. */
export interface Reach {
  /** -1 if it goes no further from here. */
  readonly matched: number;
  /** Up to which segment an array without elements could still hold what it leads to, -Infinity if it could not. */
  readonly possible: number;
}

/** The states of the automaton of a root's path know how far it has come there. */
export type RootState = State<Reach>;

/**
 * Distinguishes a root that has no records yet from one that is misspelt. Neither is found.
 *
 * What an array without elements could hold is not known. But if the path leads as far in a value that has no such property, the data
 * contradicts it, and that value would stay unmasked.
 */
export class RootProgress {
  private readonly path: Path;
  /** How far the path leads in values that are no arrays. */
  private contradicted = -1;
  /** Up to where empty arrays leave it open. */
  private possible = -Infinity;

  constructor(path: Path) {
    this.path = path;
  }

  meetEmptyArray(state: RootState): void {
    const { possible } = this.reachOf(state);
    if (possible > this.possible) this.possible = possible;
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
    let possible = -Infinity;
    for (const at of pending) {
      matched = Math.max(matched, at);
      possible = Math.max(possible, this.possibleInEmptyArray(at));
    }
    return { matched, possible };
  }

  /** `#` and `[*]` ask for elements. A name is looked up in each element as it is in an object. An index does not exist. */
  private possibleInEmptyArray(at: number): number {
    const kind = this.path[at]?.kind;
    if (kind === 'each' || kind === 'any') return at;
    return kind === 'name' || kind === 'wildcard' ? at - 1 : -Infinity;
  }
}
