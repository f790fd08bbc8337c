import { randomInt } from 'node:crypto';
import { Kind, kindOf, startOf, type Located, type Node } from '../../json/located.ts';
import { stringAt } from '../../json/text.ts';

const QUOTE = 0x22;
/** Makes collisions unpredictable for whoever chooses the names. */
const SEED = randomInt(2 ** 31);
const INITIAL_SLOTS = 16;

interface Slot<T> {
  readonly hash: number;
  readonly name: Buffer;
  readonly value: T;
}

/**
 * A map from property names to values that is asked with a name where it stands in a text, without decoding it.
 * A name with escapes is decoded first: `"\u0073sn"` is `ssn`.
 */
export class NameIndex<T> {
  private readonly byText = new Map<string, T>();
  private slots: (Slot<T> | undefined)[] = Array.from({ length: INITIAL_SLOTS }, () => undefined);

  get size(): number {
    return this.byText.size;
  }

  /** Adds a name that is not in the index yet. */
  set(name: string, value: T): void {
    this.byText.set(name, value);
    // A lone surrogate can't stand in UTF-8 unescaped.
    if (!name.isWellFormed()) return;
    if (this.byText.size * 2 > this.slots.length) this.widen();
    const bytes = Buffer.from(name);
    this.place({ hash: hashOf(bytes), name: bytes, value });
  }

  /** The value of a name that stands in a text. */
  get(doc: Located, node: Node): T | undefined {
    if (kindOf(doc, node) === Kind.escapedString) return this.byText.get(stringAt(doc, node));
    const { bytes } = doc;
    const start = startOf(doc, node) + 1;
    let hash = SEED;
    let end = start;
    for (let byte = bytes[end]!; byte !== QUOTE; byte = bytes[++end]!)
      hash = Math.imul(hash ^ byte, 0x01000193);
    return this.find(bytes, start, end, hash);
  }

  private find(bytes: Buffer, start: number, end: number, hash: number): T | undefined {
    const mask = this.slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = this.slots[at];
      if (slot === undefined) return undefined;
      if (slot.hash === hash && isSame(slot.name, bytes, start, end)) return slot.value;
    }
  }

  private place(slot: Slot<T>): void {
    const mask = this.slots.length - 1;
    let at = slot.hash & mask;
    while (this.slots[at] !== undefined) at = (at + 1) & mask;
    this.slots[at] = slot;
  }

  private widen(): void {
    const placed = this.slots.filter((slot) => slot !== undefined);
    this.slots = Array.from({ length: this.slots.length * 2 }, () => undefined);
    for (const slot of placed) this.place(slot);
  }
}

function hashOf(bytes: Buffer): number {
  let hash = SEED;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

function isSame(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}
