import { isBlank } from '../../../core/index.ts';
import { scannedTogether } from './scanned-together.ts';
import { CR, LF, NEWLINE, Pending, type Item, type RecordLimit, type Splitter } from './splitter.ts';

const RETURN = Buffer.from('\r');
const NOTHING = Buffer.alloc(0);

/** Each line is a record (`application/x-ndjson`). */
export class NdjsonSplitter implements Splitter {
  readonly #limit: RecordLimit;
  readonly #maxDepth: number;
  readonly #line: Pending;

  /** @param maxDepth how deep a record may nest, in levels of objects and arrays */
  constructor(limit: RecordLimit, maxDepth: number) {
    this.#limit = limit;
    this.#maxDepth = maxDepth;
    this.#line = new Pending(limit);
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
    let start = 0;
    while (start < text.length) {
      const end = endOfEmptyLines(text, start);
      if (end > start) yield text.subarray(start, end);
      start = end;
      const ends = endsOfLines(text, end);
      const last = ends.at(-1);
      if (last === undefined) return;
      start += last + 1;
      yield* this.#recordsIn(text.subarray(end, start), ends);
    }
  }

  /** @param ends where the lines end */
  *#recordsIn(text: Buffer, ends: readonly number[]): Generator<Item> {
    const isWorthIt = ends.length > 1 && text.length <= this.#limit.bytes;
    const payloads = isWorthIt ? scannedTogether(text, ends, this.#maxDepth) : undefined;
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

function endOfEmptyLines(text: Buffer, start: number): number {
  let end = start;
  while (text[end] === LF) end++;
  return end;
}

/** Where the lines end up to the next empty one, from the start on. */
function endsOfLines(text: Buffer, start: number): readonly number[] {
  const ends: number[] = [];
  for (let end = text.indexOf(LF, start); end >= 0; end = text.indexOf(LF, end + 1)) {
    ends.push(end - start);
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
