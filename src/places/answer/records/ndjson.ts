import { isBlank } from '../../../core/index.ts';
import { scannedTogether, type RecordBounds } from './scanned-together.ts';
import { CR, LF, NEWLINE, Pending, type Item, type Splitter } from './splitter.ts';

const RETURN = Buffer.from('\r');
const NOTHING = Buffer.alloc(0);

/** Each line is a record (`application/x-ndjson`). */
export class NdjsonSplitter implements Splitter {
  readonly #bounds: RecordBounds;
  readonly #line: Pending;

  constructor(bounds: RecordBounds) {
    this.#bounds = bounds;
    this.#line = new Pending(bounds.limit);
  }

  get size(): number {
    return this.#line.size;
  }

  *push(chunk: Buffer): Generator<Item> {
    const whole = chunk.lastIndexOf(LF) + 1;
    let start = 0;
    if (whole > 0 && this.#line.size > 0) {
      start = chunk.indexOf(LF) + 1;
      yield this.#itemOf(chunk.subarray(0, start - 1));
    }
    yield* this.#itemsIn(chunk.subarray(start, whole));
    this.#line.add(chunk.subarray(whole));
    this.#line.own();
  }

  end(): readonly Item[] {
    return this.#line.size === 0 ? [] : [itemOf(this.#line.take(), NOTHING)];
  }

  /** @param text whole lines */
  *#itemsIn(text: Buffer): Generator<Item> {
    for (let rest = text; rest.length > 0;) {
      const empty = countEmptyLines(rest);
      if (empty > 0) yield rest.subarray(0, empty);
      const lines = rest.subarray(empty);
      const ends = endsOfLines(lines);
      const length = (ends.at(-1) ?? -1) + 1;
      yield* this.#recordsIn(lines.subarray(0, length), ends);
      rest = lines.subarray(length);
    }
  }

  /** @param ends where the lines end */
  *#recordsIn(text: Buffer, ends: readonly number[]): Generator<Item> {
    const payloads = scannedTogether(text, ends, this.#bounds);
    let start = 0;
    for (const [at, end] of ends.entries()) {
      const json = payloads?.[at];
      yield json
        ? { json, frame: text[end - 1] === CR ? withReturn : withNewline }
        : this.#itemOf(text.subarray(start, end));
      start = end + 1;
    }
  }

  /** @param rest what the chunk has of the line */
  #itemOf(rest: Buffer): Item {
    this.#line.add(rest);
    return itemOf(this.#line.take(), NEWLINE);
  }
}

/** How many empty lines a text begins with. */
function countEmptyLines(text: Buffer): number {
  let count = 0;
  while (text[count] === LF) count++;
  return count;
}

/** Where the lines end, up to the next empty one. */
function endsOfLines(text: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let end = text.indexOf(LF); end >= 0; end = text.indexOf(LF, end + 1)) {
    ends.push(end);
    if (text[end + 1] === LF) break;
  }
  return ends;
}

function itemOf(json: Buffer, end: Buffer): Item {
  if (isBlank(json)) return end;
  const tail = json.at(-1) === CR ? [RETURN, end] : [end];
  return { json, frame: (masked) => [...masked, ...tail] };
}

function withNewline(masked: readonly Buffer[]): readonly Buffer[] {
  return [...masked, NEWLINE];
}

function withReturn(masked: readonly Buffer[]): readonly Buffer[] {
  return [...masked, RETURN, NEWLINE];
}
