import { isBlank, scan } from '../../../core/index.ts';
import { notEnforceable } from '../problems.ts';
import { Nesting } from './nesting.ts';
import { scannedTogether, type RecordBounds } from './scanned-together.ts';
import { LF, Pending, type Item, type Splitter } from './splitter.ts';

const SEPARATOR = 0x1e;
const START = Buffer.of(SEPARATOR);
const END = Buffer.from('\n');

/** Each record begins with a record separator and ends with a line feed (RFC 7464). */
export class JsonSeqSplitter implements Splitter {
  readonly #bounds: RecordBounds;
  readonly #text: Pending;
  #hasBegun = false;
  readonly #nesting = new Nesting();
  /** Whether the record is none, although its brackets are closed: what follows does not make it one. */
  #isBroken = false;

  constructor(bounds: RecordBounds) {
    this.#bounds = bounds;
    this.#text = new Pending(bounds.limit);
  }

  get size(): number {
    return this.#text.size;
  }

  *push(chunk: Buffer): Generator<Item> {
    const first = chunk.indexOf(SEPARATOR);
    const last = chunk.lastIndexOf(SEPARATOR);
    if (first >= 0) {
      yield* this.#endRecord(chunk.subarray(0, first));
      yield* this.#recordsIn(chunk.subarray(first + 1, last + 1));
    }
    const rest = chunk.subarray(last + 1);
    this.#text.add(rest);
    this.#nesting.read(rest);
    if (this.#isComplete()) yield* this.end();
    else this.#text.own();
  }

  end(): readonly Item[] {
    this.#nesting.reset();
    this.#isBroken = false;
    if (this.#text.size === 0) return [];
    const json = this.#text.take();
    if (isBlank(json)) return [];
    if (!this.#hasBegun) throw notEnforceable('it is not a JSON text sequence');
    this.#hasBegun = false;
    return [{ json, frame }];
  }

  /** @param text records, each with the separator that the next one begins with */
  *#recordsIn(text: Buffer): Generator<Item> {
    const ends = placesOf(SEPARATOR, text);
    const payloads = scannedTogether(text, ends, this.#bounds);
    let start = 0;
    for (const [at, end] of ends.entries()) {
      const json = payloads?.[at];
      if (json) yield { json, frame };
      else yield* this.#endRecord(text.subarray(start, end));
      start = end + 1;
    }
  }

  /** The next one has begun. @param rest what the chunk has of the record */
  *#endRecord(rest: Buffer): Generator<Item> {
    this.#text.add(rest);
    yield* this.end();
    this.#hasBegun = true;
  }

  /** A record is sent as soon as it is whole, and not when the next one begins. */
  #isComplete(): boolean {
    if (!this.#nesting.isClosed || this.#isBroken || this.#text.lastByte !== LF) return false;
    try {
      scan(this.#text.peek(), this.#bounds.maxDepth);
      return true;
    } catch {
      this.#isBroken = true;
      return false;
    }
  }
}

function placesOf(byte: number, text: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(byte); at >= 0; at = text.indexOf(byte, at + 1)) places.push(at);
  return places;
}

function frame(masked: readonly Buffer[]): readonly Buffer[] {
  return [START, ...masked, END];
}
