import { isBlank, scan } from '../../../core/index.ts';
import { notEnforceable } from '../problems.ts';
import { LF, Pending, type Item, type RecordLimit, type Splitter } from './splitter.ts';

const SEPARATOR = 0x1e;
const START = Buffer.of(SEPARATOR);
const END = Buffer.from('\n');

/** Each record begins with a record separator and ends with a line feed (RFC 7464). */
export class JsonSeqSplitter implements Splitter {
  readonly #text: Pending;
  readonly #maxDepth: number;
  #hasBegun = false;
  /** From which size on it is tried again whether the record is complete. */
  #tryFrom = 0;

  constructor(limit: RecordLimit, maxDepth: number) {
    this.#text = new Pending(limit);
    this.#maxDepth = maxDepth;
  }

  get size(): number {
    return this.#text.size;
  }

  *push(chunk: Buffer): Generator<Item> {
    let start = 0;
    for (let end = chunk.indexOf(SEPARATOR); end >= 0; end = chunk.indexOf(SEPARATOR, start)) {
      this.#text.add(chunk.subarray(start, end));
      yield* this.end();
      this.#hasBegun = true;
      start = end + 1;
    }
    this.#text.add(chunk.subarray(start));
    if (this.#isComplete()) yield* this.end();
    else this.#text.own();
  }

  end(): readonly Item[] {
    this.#tryFrom = 0;
    if (this.#text.size === 0) return [];
    const json = this.#text.take();
    if (isBlank(json)) return [];
    if (!this.#hasBegun) throw notEnforceable('it is not a JSON text sequence');
    this.#hasBegun = false;
    return [{ json, frame: (masked) => [START, ...masked, END] }];
  }

  /** A record is sent as soon as it is whole, and not when the next one begins. */
  #isComplete(): boolean {
    const { size } = this.#text;
    if (size < this.#tryFrom || size === 0) return false;
    const text = this.#text.peek();
    if (text.at(-1) !== LF || isBlank(text)) return false;
    try {
      scan(text, this.#maxDepth);
      return true;
    } catch {
      this.#tryFrom = size * 2;
      return false;
    }
  }
}
