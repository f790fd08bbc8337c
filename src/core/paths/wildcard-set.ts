import { readCodePoints, roomForCharacters, type Wildcard } from './wildcard.ts';
import { WildcardTree } from './wildcard-tree.ts';

const QUOTE = 0x22;
const ASCII = 128;

/** How many words the states take that are kept, and how many states and coverings that are. */
const MAX_WORDS = 2 ** 20;
const MAX_STATES = 2048;
const MAX_COVERINGS = 4096;
/** If so many characters have led to states that found no room, all are forgotten. */
const MAX_MISSES = 2 ** 16;

/** Which wildcards of a set cover a name: the same one for the same wildcards. */
export class Covering {
  /** Another one for each. */
  readonly number: number;
  /** The wildcards by their numbers ({@link WildcardSet.numberOf}). */
  readonly wildcards: readonly number[];
  /** The class of all names that are covered so, if there is one. */
  like: number | undefined;

  constructor(number: number, wildcards: readonly number[]) {
    this.number = number;
    this.wildcards = wildcards;
    this.like = undefined;
  }
}

/** How far the wildcards have come in a name. */
class WildcardState {
  readonly nodes: Int32Array;
  /** The next state by the place of a character among those that wildcards name. */
  readonly next: (WildcardState | undefined)[] = [];
  /** Which of them cover the name if it ends here. */
  covering: Covering | undefined;

  constructor(nodes: Int32Array) {
    this.nodes = nodes;
  }
}

/**
 * Compares names with many wildcards at once. What names lead to is kept, so that most of their characters cost one step, however
 * many wildcards there are. Of the others, each costs a step for each part of a wildcard that the name has come to.
 */
export class WildcardSet {
  private readonly tree: WildcardTree;
  private readonly top: WildcardState;
  private readonly states = new Map<string, WildcardState>();
  private readonly coverings = new Map<string, Covering>();
  private words = 0;
  private count = 0;
  private misses = 0;

  constructor(wildcards: readonly Wildcard[]) {
    this.tree = new WildcardTree(wildcards);
    this.top = new WildcardState(this.tree.start());
  }

  /** The number of a wildcard of the set, the same for those that are alike. */
  numberOf(wildcard: Wildcard): number | undefined {
    return this.tree.numberOf(wildcard);
  }

  of(name: string): Covering {
    const characters = roomForCharacters(name.length);
    return this.ofRest(this.top, characters, 0, readCodePoints(name, characters));
  }

  /**
   * The same for a name in a text, up to its quote.
   *
   * @returns undefined if it is not ASCII
   */
  at(bytes: Buffer, start: number): Covering | undefined {
    const { ascii } = this.tree;
    let state = this.top;
    for (let at = start, byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) {
      if (byte >= ASCII) return undefined;
      const place = ascii[byte]!;
      const next = state.next[place] ?? this.after(state, place);
      if (next === undefined) return this.atRest(state, bytes, at);
      state = next;
    }
    return this.coveringIn(state);
  }

  private ofRest(from: WildcardState, characters: Uint32Array, first: number, length: number): Covering {
    let state = from;
    for (let at = first; at < length; at++) {
      const next = this.after(state, this.tree.placeAt(characters[at]!));
      if (next === undefined) return this.coveringBy(this.simulated(state.nodes, characters, at, length));
      state = next;
    }
    return this.coveringIn(state);
  }

  private atRest(state: WildcardState, bytes: Buffer, from: number): Covering | undefined {
    const end = bytes.indexOf(QUOTE, from);
    const characters = roomForCharacters(end - from);
    for (let at = from; at < end; at++) {
      if (bytes[at]! >= ASCII) return undefined;
      characters[at - from] = bytes[at]!;
    }
    return this.ofRest(state, characters, 0, end - from);
  }

  /** @returns undefined if it is not kept */
  private after(from: WildcardState, place: number): WildcardState | undefined {
    const known = from.next[place];
    if (known) return known;
    const state = this.stateOf(this.tree.after(from.nodes, place));
    if (state) from.next[place] = state;
    return state;
  }

  private stateOf(nodes: Int32Array): WildcardState | undefined {
    const key = keyOf(nodes);
    const known = this.states.get(key);
    if (known) return known;
    if (this.states.size >= MAX_STATES || this.words + nodes.length > MAX_WORDS) {
      if (++this.misses > MAX_MISSES) this.forget();
      return undefined;
    }
    const state = new WildcardState(nodes);
    this.states.set(key, state);
    this.words += nodes.length;
    return state;
  }

  private forget(): void {
    this.misses = 0;
    this.words = 0;
    this.states.clear();
    this.top.next.length = 0;
  }

  /** The nodes after the rest of a name. */
  private simulated(nodes: Int32Array, characters: Uint32Array, from: number, length: number): Int32Array {
    let now = nodes;
    for (let at = from; at < length && now.length > 0; at++)
      now = this.tree.after(now, this.tree.placeAt(characters[at]!));
    return now;
  }

  private coveringIn(state: WildcardState): Covering {
    state.covering ??= this.coveringBy(state.nodes);
    return state.covering;
  }

  private coveringBy(nodes: Int32Array): Covering {
    const wildcards = this.tree.coveringAt(nodes);
    const key = wildcards.join(' ');
    const known = this.coverings.get(key);
    if (known) return known;
    if (this.coverings.size >= MAX_COVERINGS) this.coverings.clear();
    const covering = new Covering(this.count++, wildcards);
    this.coverings.set(key, covering);
    return covering;
  }
}

function keyOf({ buffer, byteOffset, byteLength }: Int32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
