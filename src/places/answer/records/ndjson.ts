import { isBlank } from '../../../core/index.ts';
import { CR, LF, Pending, type Item, type RecordLimit, type Splitter } from './splitter.ts';

const NEWLINE = Buffer.from('\n');
const RETURN = Buffer.from('\r');

/** Each line is a record (`application/x-ndjson`). */
export class NdjsonSplitter implements Splitter {
  readonly #line: Pending;

  constructor(limit: RecordLimit) {
    this.#line = new Pending(limit);
  }

  get size(): number {
    return this.#line.size;
  }

  *push(chunk: Buffer): Generator<Item> {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      this.#line.add(chunk.subarray(start, end));
      yield itemOf(this.#line.take(), NEWLINE);
      start = end + 1;
    }
    this.#line.add(chunk.subarray(start));
    this.#line.own();
  }

  end(): readonly Item[] {
    return this.#line.size === 0 ? [] : [itemOf(this.#line.take(), Buffer.alloc(0))];
  }
}

function itemOf(json: Buffer, end: Buffer): Item {
  if (isBlank(json)) return end;
  const tail = json.at(-1) === CR ? [RETURN, end] : [end];
  return { json, frame: (masked) => [...masked, ...tail] };
}
