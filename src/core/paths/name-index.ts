import { randomInt } from 'node:crypto';
import { Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { mayBePlain, stringAt } from '../json/text.ts';

const QUOTE = 0x22;
/** Makes collisions unpredictable for whoever chooses the names. */
const SEED = randomInt(2 ** 31);
/** So many names that begin alike are compared one by one; more are told apart by their hash. */
const MAX_CHAINED = 32;
const CHAINS = 64;
/** Most indexes stay empty: they share their lack of buckets. */
const NONE: undefined[] = [];

interface Slot<T> {
  /** With the quote that ends it. */
  readonly name: Buffer;
  readonly value: T;
  /** The next one in the same bucket. */
  readonly next: Slot<T> | undefined;
}

/**
 * A map from property names to values that is asked with a name where it stands in a text, without decoding it.
 * A name with escapes is decoded first: `"\u0073sn"` is `ssn`. Other strings will do as well as names.
 */
export class NameIndex<T> {
  /** Most indexes stay empty, and need no map. */
  private byText: Map<string, T> | undefined;
  /** By how the name begins, while there are few names. */
  private chains: (Slot<T> | undefined)[] = NONE;
  /** By hash, once there are many. */
  private buckets: (Slot<T> | undefined)[] = [];

  /** Adds a name that is not in the index yet. */
  set(name: string, value: T): void {
    this.byText ??= new Map();
    this.byText.set(name, value);
    if (!mayBePlain(name)) return;
    if (this.chains === NONE) this.chains = emptyBuckets(CHAINS);
    if (this.buckets.length > 0) place(this.buckets, hashOf, name, value);
    else place(this.chains, beginning, name, value);
    const room = Math.max(this.buckets.length, MAX_CHAINED);
    if (this.byText.size > room) this.rehash(room * 4);
  }

  /** The value of a name that stands in a text. */
  get(doc: JsonDocument, node: Node): T | undefined {
    if (kindOf(doc, node) === Kind.escapedString) return this.byText?.get(stringAt(doc, node));
    const { bytes } = doc;
    const start = startOf(doc, node) + 1;
    let slot =
      this.buckets.length > 0
        ? this.bucketAt(bytes, start)
        : this.chains[beginning(bytes, start) & (CHAINS - 1)];
    while (slot !== undefined && !isAt(slot.name, bytes, start)) slot = slot.next;
    return slot?.value;
  }

  private bucketAt(bytes: Buffer, start: number): Slot<T> | undefined {
    return this.buckets[hashOf(bytes, start) & (this.buckets.length - 1)];
  }

  private rehash(buckets: number): void {
    this.buckets = emptyBuckets(buckets);
    for (const [name, value] of this.byText ?? [])
      if (mayBePlain(name)) place(this.buckets, hashOf, name, value);
  }
}

/** Puts a name in front of those in its bucket; the number of buckets is a power of two. */
function place<T>(
  buckets: (Slot<T> | undefined)[],
  hash: (bytes: Buffer, start: number) => number,
  text: string,
  value: T,
): void {
  const name = Buffer.from(`${text}"`);
  const at = hash(name, 0) & (buckets.length - 1);
  buckets[at] = { name, value, next: buckets[at] };
}

function emptyBuckets(count: number): undefined[] {
  return Array.from({ length: count }, () => undefined);
}

/** A byte made of a name's first two; one of none or one has its quote there. */
function beginning(bytes: Buffer, start: number): number {
  const first = bytes[start]!;
  return first === QUOTE ? QUOTE : (first + 31 * bytes[start + 1]!) & 0xff;
}

/** The hash of a name that ends in a quote. */
function hashOf(bytes: Buffer, start: number): number {
  let hash = SEED;
  let at = start;
  for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash ^ (hash >>> 15);
}

function isAt(name: Buffer, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}
