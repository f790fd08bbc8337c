import { MANY, ONE, readCodePoints, roomForCharacters, type Wildcard } from './wildcard.ts';

const QUOTE = 0x22;
const WORD_BITS = 32;
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
  /** The class of all names that are covered so, if there is one. */
  like: number | undefined;

  constructor(number: number) {
    this.number = number;
    this.like = undefined;
  }
}

/** How far the wildcards have come in a name. */
class WildcardState {
  readonly bits: Int32Array;
  /** The next state by the place of a character among those that wildcards name. */
  readonly next: (WildcardState | undefined)[] = [];
  /** Which of them cover the name if it ends here. */
  covering: Covering | undefined;

  constructor(bits: Int32Array) {
    this.bits = bits;
  }
}

/**
 * Compares names with many wildcards at once. How far a wildcard has come is a bit for each of its characters: a character of the
 * name moves on those that it matches, and those before a `*` stay as well. What names lead to is kept, so that most of their
 * characters cost one step, however many wildcards there are.
 */
export class WildcardSet {
  /** The bits at which wildcards begin, those that stay, and those at which they end. */
  private readonly begun: Int32Array;
  private readonly staying: Int32Array;
  private readonly ends: Int32Array;
  /** Of the characters that wildcards name, their places among them, from 1 on; all others are alike. */
  private readonly placeOf = new Map<number, number>();
  private readonly ascii = new Uint32Array(ASCII);
  /** The bits that every character moves on. */
  private readonly moving: Int32Array;
  /** By the place of a character, the other bits that it moves on. */
  private readonly movedBy: number[][];
  private readonly top: WildcardState;
  private readonly states = new Map<string, WildcardState>();
  private readonly coverings = new Map<string, Covering>();
  private count = 0;
  private misses = 0;

  constructor(wildcards: readonly Wildcard[]) {
    const bits = wildcards.reduce((sum, { tokens }) => sum + tokens.length + 1, 0);
    const words = Math.ceil(bits / WORD_BITS);
    [this.begun, this.staying, this.ends] = [wordsOf(words), wordsOf(words), wordsOf(words)];
    this.moving = wordsOf(words);
    for (const token of wildcards.flatMap(({ tokens }) => tokens))
      if (typeof token === 'string') this.name(token.codePointAt(0) ?? 0);
    this.movedBy = Array.from({ length: this.placeOf.size + 1 }, () => []);
    let bit = 0;
    for (const wildcard of wildcards) bit = this.add(wildcard, bit);
    this.top = new WildcardState(this.begun);
  }

  of(name: string): Covering {
    const characters = roomForCharacters(name.length);
    const length = readCodePoints(name, characters);
    let state = this.top;
    for (let at = 0; at < length; at++) {
      const next = this.after(state, this.placeAt(characters[at]!));
      if (next === undefined) return this.coveringBy(this.simulated(state.bits, characters, at, length));
      state = next;
    }
    return this.coveringIn(state);
  }

  /**
   * The same for a name in a text, up to its quote.
   *
   * @returns undefined if it is not ASCII
   */
  at(bytes: Buffer, start: number): Covering | undefined {
    let state = this.top;
    for (let at = start; bytes[at] !== QUOTE; at++) {
      const byte = bytes[at]!;
      if (byte >= ASCII) return undefined;
      const place = this.ascii[byte]!;
      const next = state.next[place] ?? this.after(state, place);
      if (next === undefined) return this.coveringFrom(state, bytes, at);
      state = next;
    }
    return this.coveringIn(state);
  }

  private name(character: number): void {
    if (this.placeOf.has(character)) return;
    this.placeOf.set(character, this.placeOf.size + 1);
    if (character < ASCII) this.ascii[character] = this.placeOf.size;
  }

  private placeAt(character: number): number {
    return character < ASCII ? this.ascii[character]! : (this.placeOf.get(character) ?? 0);
  }

  /** @returns the bit after those of the wildcard */
  private add({ tokens }: Wildcard, first: number): number {
    let bit = first;
    set(this.begun, bit);
    for (const token of tokens) {
      if (token === MANY) set(this.staying, bit);
      else if (token === ONE) set(this.moving, bit++);
      else this.movedBy[this.placeAt(token.codePointAt(0) ?? 0)]?.push(bit++);
    }
    set(this.ends, bit);
    return bit + 1;
  }

  /** @returns undefined if it is not kept */
  private after(from: WildcardState, place: number): WildcardState | undefined {
    const known = from.next[place];
    if (known) return known;
    const bits = new Int32Array(from.bits.length);
    this.move(from.bits, place, bits);
    const state = this.stateOf(bits);
    if (state) from.next[place] = state;
    return state;
  }

  private stateOf(bits: Int32Array): WildcardState | undefined {
    const key = keyOf(bits);
    const known = this.states.get(key);
    if (known) return known;
    if (this.states.size >= MAX_STATES || (this.states.size + 1) * bits.length > MAX_WORDS) {
      if (++this.misses > MAX_MISSES) this.forget();
      return undefined;
    }
    const state = new WildcardState(bits);
    this.states.set(key, state);
    return state;
  }

  private forget(): void {
    this.misses = 0;
    this.states.clear();
    this.top.next.length = 0;
  }

  private move(from: Int32Array, place: number, to: Int32Array): void {
    const { staying, moving } = this;
    let carry = 0;
    for (let word = 0; word < from.length; word++) {
      const bits = from[word]!;
      const on = bits & moving[word]!;
      to[word] = (on << 1) | carry | (bits & staying[word]!);
      carry = on >>> (WORD_BITS - 1);
    }
    for (const bit of this.movedBy[place]!) if (has(from, bit)) set(to, bit + 1);
  }

  /** The bits after the rest of a name. */
  private simulated(bits: Int32Array, characters: Uint32Array, from: number, length: number): Int32Array {
    let [now, next] = [bits.slice(), new Int32Array(bits.length)];
    for (let at = from; at < length; at++) {
      this.move(now, this.placeAt(characters[at]!), next);
      [now, next] = [next, now];
    }
    return now;
  }

  private coveringFrom(state: WildcardState, bytes: Buffer, from: number): Covering | undefined {
    const end = bytes.indexOf(QUOTE, from);
    const characters = roomForCharacters(end - from);
    for (let at = from; at < end; at++) {
      if (bytes[at]! >= ASCII) return undefined;
      characters[at - from] = bytes[at]!;
    }
    return this.coveringBy(this.simulated(state.bits, characters, 0, end - from));
  }

  private coveringIn(state: WildcardState): Covering {
    state.covering ??= this.coveringBy(state.bits);
    return state.covering;
  }

  private coveringBy(bits: Int32Array): Covering {
    const key = keyOf(bits.map((word, at) => word & this.ends[at]!));
    const known = this.coverings.get(key);
    if (known) return known;
    if (this.coverings.size >= MAX_COVERINGS) this.coverings.clear();
    const covering = new Covering(this.count++);
    this.coverings.set(key, covering);
    return covering;
  }
}

function wordsOf(count: number): Int32Array {
  return new Int32Array(count);
}

function set(bits: Int32Array, bit: number): void {
  bits[bit >> 5]! |= 1 << (bit & 31);
}

function has(bits: Int32Array, bit: number): boolean {
  return ((bits[bit >> 5]! >>> (bit & 31)) & 1) === 1;
}

function keyOf({ buffer, byteOffset, byteLength }: Int32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
