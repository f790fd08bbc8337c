import { dataItems, lineEnds } from './event-data.ts';
import {
  CR,
  LF,
  NEWLINE,
  Pending,
  recordTooLarge,
  UNBOUNDED,
  type Item,
  type RecordLimit,
  type Splitter,
} from './splitter.ts';

/** Fields of an event that pass, and their values; comments pass without their text, and other lines mean nothing to clients. */
const PASSING: ReadonlyMap<string, RegExp> = new Map([
  ['event', /^/u],
  ['id', /^[^\0]*$/u],
  ['retry', /^\d+$/u],
]);
const COMMENT = Buffer.from(':\n');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** Bytes of a line that may be a field name. */
const MAX_NAME = 8;

export interface EventStreamOptions {
  /** Of an event. */
  readonly limit: RecordLimit;
  readonly maxDepth: number;
  /** Whether data that is not JSON passes. */
  readonly passesNonJson: boolean;
}

/** The data of each event is a record (`text/event-stream`, WHATWG HTML §9.2). */
export class EventStreamSplitter implements Splitter {
  readonly #options: EventStreamOptions;
  readonly #line: Pending;
  /** The lines of the event that pass, each with its line end. */
  readonly #fields: Pending;
  /** The data of the event, its lines joined. */
  readonly #data: Pending;
  #hasData = false;
  /** Of the whole lines of the event so far, in bytes. */
  #size = 0;
  #isFirstLine = true;
  /** A line feed after it belongs to the same line end. */
  #endsWithCr = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#line = new Pending(options.limit);
    this.#fields = new Pending(UNBOUNDED);
    this.#data = new Pending(UNBOUNDED);
  }

  get size(): number {
    return this.#line.size + this.#size;
  }

  *push(chunk: Buffer): Generator<Item> {
    let start = this.#endsWithCr && chunk[0] === LF ? 1 : 0;
    if (chunk.length > 0) this.#endsWithCr = false;
    for (const end of lineEnds(chunk)) {
      if (end < start) continue;
      this.#line.add(chunk.subarray(start, end));
      yield* this.#endLine(this.#line.take());
      const isPair = chunk[end] === CR && chunk[end + 1] === LF;
      this.#endsWithCr = chunk[end] === CR && end + 1 === chunk.length;
      start = end + (isPair ? 2 : 1);
    }
    this.#line.add(chunk.subarray(start));
    for (const pending of [this.#line, this.#fields, this.#data]) pending.own();
  }

  /** Clients discard an event that has no blank line after it. */
  end(): readonly Item[] {
    return [];
  }

  #endLine(written: Buffer): Iterable<Item> {
    const hasMark = this.#isFirstLine && written.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const line = hasMark ? written.subarray(BYTE_ORDER_MARK.length) : written;
    this.#isFirstLine = false;
    if (line.length === 0) return this.#endEvent();
    const colon = line.indexOf(0x3a);
    if (colon === 0) return [COMMENT];
    const name = colon > MAX_NAME ? '' : line.toString('latin1', 0, colon < 0 ? line.length : colon);
    const value = colon < 0 ? line.subarray(line.length) : valueAfter(line, colon);
    if (name === 'data') this.#keepData(value);
    else if (PASSING.get(name)?.test(value.toString('latin1')) === true) this.#keepField(line);
    return [];
  }

  #keepData(value: Buffer): void {
    this.#grow(value.length + 1);
    if (this.#hasData) this.#data.add(NEWLINE);
    this.#data.add(value);
    this.#hasData = true;
  }

  #keepField(line: Buffer): void {
    this.#grow(line.length + 1);
    this.#fields.add(line);
    this.#fields.add(NEWLINE);
  }

  #grow(bytes: number): void {
    this.#size += bytes;
    if (this.#size > this.#options.limit.bytes) throw recordTooLarge(this.#options.limit);
  }

  *#endEvent(): Generator<Item> {
    const fields = this.#fields.take();
    const text = this.#data.take();
    const hasData = this.#hasData;
    this.#hasData = false;
    this.#size = 0;
    if (fields.length > 0) yield fields;
    if (hasData) yield* dataItems(text, this.#options);
    yield NEWLINE;
  }
}

function valueAfter(line: Buffer, colon: number): Buffer {
  return line.subarray(line[colon + 1] === 0x20 ? colon + 2 : colon + 1);
}
