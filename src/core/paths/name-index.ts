import { endOf, Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { mayBePlain, stringAt } from '../json/text.ts';
import { unescapeBytes } from '../json/unescape-bytes.ts';
import { SEED } from '../seed.ts';

const QUOTE = 0x22;
/** Up to this many names are compared one by one if they begin alike. More are found by their hash. */
const MAX_CHAINED = 32;
const CHAINS = 64;
/** How many names are decoded and looked up as text before the names are indexed by their bytes: most indexes are used rarely. */
const FEW = 32;

interface Slot<T> {
  /** With the quote that ends it. */
  readonly name: Buffer;
  readonly value: T;
  /** The next one in the same bucket. */
  readonly next: Slot<T> | undefined;
}

/**
 * A map from property names to values that is asked with a name at its place in a text, without decoding it.
 * A name with escapes is decoded first: `"\u0073sn"` is `ssn`. Other strings will do as well as names.
 */
export class NameIndex<T> {
  private readonly byText = new Map<string, T>();
  private asked = 0;
  /** By their bytes; made when enough names were asked for, and anew after a name was added. */
  private buckets: Buckets<T> | undefined;

  /** Names that are looked for, each as its own value. */
  static of<Name extends string>(names: Iterable<Name>): NameIndex<Name> {
    const index = new NameIndex<Name>();
    for (const name of new Set(names)) index.set(name, name);
    return index;
  }

  /** Adds a name that is not in the index yet. */
  set(name: string, value: T): void {
    this.byText.set(name, value);
    this.buckets = undefined;
  }

  /** The value of a name in a text. */
  get(doc: JsonDocument, node: Node): T | undefined {
    if (this.byText.size === 0) return undefined;
    if (this.asked < FEW) {
      this.asked++;
      return this.byText.get(stringAt(doc, node));
    }
    this.buckets ??= new Buckets(this.byText);
    const { buckets } = this;
    if (kindOf(doc, node) !== Kind.escapedString) return buckets.get(doc.bytes, startOf(doc, node) + 1);
    const isFound = buckets.areAll && unescapeAt(doc, node);
    return isFound ? buckets.get(UNESCAPED, 0) : this.byText.get(stringAt(doc, node));
  }
}

/** Room for a name that had escapes, with a quote at its end. Longer ones are decoded. */
const UNESCAPED = Buffer.alloc(128);

/** @returns whether what the name says could be written without escapes, and has room */
function unescapeAt(doc: JsonDocument, node: Node): boolean {
  const start = startOf(doc, node) + 1;
  const end = endOf(doc, node) - 1;
  if (end - start >= UNESCAPED.length) return false;
  const length = unescapeBytes(doc.bytes, start, end, UNESCAPED, 0);
  UNESCAPED[length] = QUOTE;
  let at = 0;
  while (UNESCAPED[at] !== QUOTE) at++;
  return at === length;
}

/** The names of an index that have no escapes, by how they begin if there are few, else by their hash. */
class Buckets<T> {
  private readonly slots: (Slot<T> | undefined)[];
  private readonly mask: number;
  private readonly hash: (bytes: Buffer, start: number) => number;
  /** Whether all names of the index are here. */
  readonly areAll: boolean;

  constructor(names: ReadonlyMap<string, T>) {
    const isHashed = names.size > MAX_CHAINED;
    const count = isHashed ? 2 ** Math.ceil(Math.log2(names.size * 2)) : CHAINS;
    this.mask = count - 1;
    this.hash = isHashed ? hashOf : beginning;
    this.slots = Array.from({ length: count }, () => undefined);
    const plain = [...names].filter(([name]) => mayBePlain(name));
    this.areAll = plain.length === names.size;
    for (const [name, value] of plain) this.add(Buffer.from(`${name}"`), value);
  }

  /** @param start the first byte of the name */
  get(bytes: Buffer, start: number): T | undefined {
    let slot = this.slots[this.hash(bytes, start) & this.mask];
    while (slot !== undefined && !isAt(slot.name, bytes, start)) slot = slot.next;
    return slot?.value;
  }

  private add(name: Buffer, value: T): void {
    const at = this.hash(name, 0) & this.mask;
    this.slots[at] = { name, value, next: this.slots[at] };
  }
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
