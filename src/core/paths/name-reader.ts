import { Occurrences } from './occurrences.ts';
import { Trie } from './trie.ts';

/** A use of a text that is looked for anywhere. Of those of one group that are in one name, only the first counts. */
export interface TextUse {
  readonly group: number;
  /** The place in its group. */
  readonly rank: number;
}

/** The texts that names are read for. */
export interface SoughtTexts {
  /** Whether a name begins with them, or they with the name. */
  readonly starts: readonly string[];
  /** Whether a name has them anywhere in it, or ends in their beginning. */
  readonly anywhere: readonly string[];
  /** All uses of some of those. The others count wherever they are. */
  readonly uses: ReadonlyMap<string, readonly TextUse[]>;
  /** Whether a name ends in them, or in their beginning. */
  readonly ends: readonly string[];
}

const QUOTE = 0x22;

/** How many states are kept; past that all are forgotten, so that no payload fills the memory. */
const MAX_STATES = 1024;

/** What was read of a name: the same state for beginnings that make no difference to what is sought. */
export class NameState {
  /** The same for states in which names are alike if they end there. */
  readonly like: number;
  /** The longest beginning of `starts` that was read, by its node, and whether nothing else was. */
  readonly start: number;
  readonly isAtStart: boolean;
  /** The node in `anywhere` and `ends`. */
  readonly end: number;
  /** The texts of `anywhere` that were read, by their nodes, in order. */
  readonly found: readonly number[];
  /** Whether it stays the same whatever follows. */
  readonly isFinal: boolean;
  /** The next state by the place of a character among those that matter. */
  next: (NameState | undefined)[] = [];

  constructor(
    like: number,
    start: number,
    isAtStart: boolean,
    end: number,
    found: readonly number[],
    isFinal: boolean,
  ) {
    this.like = like;
    this.start = start;
    this.isAtStart = isAtStart;
    this.end = end;
    this.found = found;
    this.isFinal = isFinal;
  }
}

/** Reads names for many texts at once: the time is linear in the length of the name, whatever their number. */
export class NameReader {
  private readonly starts = new Trie();
  private readonly anywhere: Occurrences;
  /** Of the characters in any sought text, their places among them, from 1 on; all others are alike. */
  private readonly places = new Map<number, number>();
  private readonly ascii = new Uint16Array(128);
  private readonly states = new Map<string, NameState>();
  private readonly classes = new Map<string, number>();
  /** The uses of texts by the nodes of these. */
  private readonly uses = new Map<number, readonly TextUse[]>();
  private readonly looksAnywhere: boolean;
  private count = 0;
  private readonly top: NameState;

  constructor({ starts, anywhere, uses, ends }: SoughtTexts) {
    for (const text of starts) this.starts.add(text);
    this.starts.close();
    this.anywhere = new Occurrences(anywhere, ends);
    for (const [at, node] of this.anywhere.nodes.entries()) {
      const ofText = uses.get(anywhere[at] ?? '');
      if (ofText) this.uses.set(node, ofText);
    }
    this.looksAnywhere = anywhere.length > 0 || ends.length > 0;
    for (const text of [...starts, ...anywhere, ...ends]) this.place(text);
    this.top = this.state(0, true, 0, []);
  }

  read(name: string): NameState {
    let state = this.top;
    for (let at = 0; !state.isFinal && at < name.length; at++) {
      const unit = name.charCodeAt(at);
      const place = unit < 128 ? this.ascii[unit]! : (this.places.get(unit) ?? 0);
      state = state.next[place] ?? this.step(state, unit, place);
    }
    return state;
  }

  /**
   * Reads a name in a text, up to its quote, as far as it matters.
   *
   * @returns undefined if that is not ASCII
   */
  readAt(bytes: Buffer, start: number): NameState | undefined {
    let state = this.top;
    for (let at = start; !state.isFinal && bytes[at] !== QUOTE; at++) {
      const byte = bytes[at]!;
      if (byte >= this.ascii.length) return undefined;
      const place = this.ascii[byte]!;
      state = state.next[place] ?? this.step(state, byte, place);
    }
    return state;
  }

  private place(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (this.places.has(unit)) continue;
      this.places.set(unit, this.places.size + 1);
      if (unit < 128) this.ascii[unit] = this.places.size;
    }
  }

  private step(from: NameState, unit: number, place: number): NameState {
    const child = from.isAtStart ? this.starts.child(from.start, unit) : undefined;
    const start = child ?? (from.isAtStart ? (this.starts.ended[from.start] ?? 0) : from.start);
    const end = this.anywhere.step(from.end, unit);
    const state = this.state(start, child !== undefined, end, this.foundAt(end, from.found));
    from.next[place] = state;
    return state;
  }

  private foundAt(end: number, before: readonly number[]): readonly number[] {
    const found: number[] = [];
    for (const node of this.anywhere.endingAt(end)) {
      // What a known text ends in is known as well.
      if (before.includes(node)) break;
      found.push(node);
    }
    return found.length === 0 ? before : this.counting([...before, ...found]).toSorted((a, b) => a - b);
  }

  /** Those of some texts that count beside each other, by their nodes. */
  private counting(found: readonly number[]): readonly number[] {
    const first = new Map<number, number>();
    for (const { group, rank } of found.flatMap((node) => this.uses.get(node) ?? []))
      first.set(group, Math.min(first.get(group) ?? rank, rank));
    return found.filter(
      (node) => this.uses.get(node)?.some(({ group, rank }) => first.get(group) === rank) !== false,
    );
  }

  private state(start: number, isAtStart: boolean, end: number, found: readonly number[]): NameState {
    const key = `${isAtStart ? '' : '-'}${start} ${end} ${found.join(' ')}`;
    const known = this.states.get(key);
    if (known) return known;
    if (this.states.size >= MAX_STATES) this.forget();
    const isFinal = !isAtStart && !this.looksAnywhere;
    const state = new NameState(
      this.classAt(start, isAtStart, end, found),
      start,
      isAtStart,
      end,
      found,
      isFinal,
    );
    this.states.set(key, state);
    return state;
  }

  /** Of what a name ends in, only that matters which a dot may follow, or nothing. */
  private classAt(start: number, isAtStart: boolean, end: number, found: readonly number[]): number {
    const key = `${isAtStart ? '' : '-'}${start} ${this.anywhere.endOfName(end)} ${found.join(' ')}`;
    const known = this.classes.get(key) ?? this.count++;
    this.classes.set(key, known);
    return known;
  }

  private forget(): void {
    this.states.clear();
    this.classes.clear();
    this.top.next = [];
  }
}
