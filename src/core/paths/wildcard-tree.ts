import { MANY, ONE, type Wildcard } from './wildcard.ts';

const ASCII = 128;
const NONE = -1;

/**
 * Many wildcards as one tree of their characters: those that begin alike share nodes. Where one goes on with `*`, a node with it
 * is after the node before it, and stays whatever comes.
 */
export class WildcardTree {
  /** Of the characters that wildcards name, their places among them, from 1 on; all others are alike. */
  private readonly placeOf = new Map<number, number>();
  /** Those of ASCII. */
  readonly ascii = new Uint32Array(ASCII);
  private readonly places: number;
  /** The nodes after `?`, after `*` and after a character, by its place. */
  private readonly afterOne = [NONE];
  private readonly afterMany = [NONE];
  private readonly afterCharacter = new Map<number, number>();
  private readonly isMany = [false];
  /** The number of the wildcard that ends at a node. */
  private readonly ends: (number | undefined)[] = [];
  private readonly numbers = new Map<Wildcard, number>();
  /** The nodes that a step leads to, and for each node whether it is among them. */
  private readonly reached: Int32Array;
  private readonly isReached: Uint8Array;
  private count = 0;

  constructor(wildcards: readonly Wildcard[]) {
    for (const { tokens } of wildcards)
      for (const token of tokens) if (typeof token === 'string') this.name(token.codePointAt(0) ?? 0);
    this.places = this.placeOf.size + 1;
    for (const [at, wildcard] of wildcards.entries()) {
      const node = this.add(wildcard);
      const number = (this.ends[node] ??= at);
      this.numbers.set(wildcard, number);
    }
    this.reached = new Int32Array(this.isMany.length);
    this.isReached = new Uint8Array(this.isMany.length);
  }

  /** The nodes before the first character. */
  start(): Int32Array {
    this.reach(0);
    return this.takeReached();
  }

  /** What matters of a character. */
  placeAt(character: number): number {
    return character < ASCII ? this.ascii[character]! : (this.placeOf.get(character) ?? 0);
  }

  /** The nodes after a character, by its place. */
  after(nodes: Int32Array, place: number): Int32Array {
    for (const node of nodes) {
      if (this.isMany[node] === true) this.reach(node);
      this.reach(this.afterOne[node]!);
      if (place > 0) this.reach(this.afterCharacter.get(node * this.places + place) ?? NONE);
    }
    return this.takeReached();
  }

  /** The wildcards that cover what leads to some nodes, by their numbers. */
  coveringAt(nodes: Int32Array): readonly number[] {
    const covering: number[] = [];
    for (const node of nodes) {
      const number = this.ends[node];
      if (number !== undefined) covering.push(number);
    }
    return covering;
  }

  /** The number of a wildcard, the same for those that cover the same names. */
  numberOf(wildcard: Wildcard): number | undefined {
    return this.numbers.get(wildcard);
  }

  private name(character: number): void {
    if (this.placeOf.has(character)) return;
    this.placeOf.set(character, this.placeOf.size + 1);
    if (character < ASCII) this.ascii[character] = this.placeOf.size;
  }

  /** @returns the node at which the wildcard ends */
  private add({ tokens }: Wildcard): number {
    let node = 0;
    for (const token of tokens) {
      if (token === MANY) node = this.isMany[node] === true ? node : this.next(this.afterMany, node);
      else if (token === ONE) node = this.next(this.afterOne, node);
      else node = this.nextBy(node * this.places + this.placeAt(token.codePointAt(0) ?? 0));
    }
    return node;
  }

  private next(after: number[], node: number): number {
    if (after[node] === NONE) after[node] = this.another(after === this.afterMany);
    return after[node]!;
  }

  private nextBy(key: number): number {
    const known = this.afterCharacter.get(key);
    if (known !== undefined) return known;
    const node = this.another(false);
    this.afterCharacter.set(key, node);
    return node;
  }

  private another(isMany: boolean): number {
    this.afterOne.push(NONE);
    this.afterMany.push(NONE);
    return this.isMany.push(isMany) - 1;
  }

  /** `*` also matches nothing. */
  private reach(first: number): void {
    for (let node = first; node !== NONE; node = this.afterMany[node]!) {
      if (this.isReached[node] === 1) return;
      this.isReached[node] = 1;
      this.reached[this.count++] = node;
    }
  }

  private takeReached(): Int32Array {
    const nodes = this.reached.subarray(0, this.count).toSorted();
    for (const node of nodes) this.isReached[node] = 0;
    this.count = 0;
    return nodes;
  }
}
