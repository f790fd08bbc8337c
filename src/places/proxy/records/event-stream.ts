import { JsonDepthError, scan } from '../../../core/index.ts';
import { CR, isBlank, LF, notEnforceable, Pending, type Item, type Splitter } from './splitter.ts';

/** Fields of an event that pass; comments pass without their text, and other fields mean nothing to clients. */
const PASSING: ReadonlySet<string> = new Set(['event', 'id', 'retry']);
const COMMENT = Buffer.from(':\n');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** Bytes of a line that may be a field name. */
const MAX_NAME = 8;

export interface EventStreamOptions {
  /** Of an event, in bytes. */
  readonly limit: number;
  readonly maxDepth: number;
  /** Whether data that is not JSON passes. */
  readonly passesNonJson: boolean;
}

/** The data of each event is a record (`text/event-stream`, WHATWG HTML §9.2). */
export class EventStreamSplitter implements Splitter {
  readonly #options: EventStreamOptions;
  readonly #line: Pending;
  #fields: Buffer[] = [];
  #data: Buffer[] = [];
  #size = 0;
  #isFirstLine = true;
  /** A line feed after it belongs to the same line end. */
  #endsWithCr = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#line = new Pending(options.limit);
  }

  push(chunk: Buffer): readonly Item[] {
    const items: Item[] = [];
    let rest = chunk;
    if (this.#endsWithCr && rest.length > 0) {
      if (rest[0] === LF) rest = rest.subarray(1);
      this.#endsWithCr = false;
    }
    for (let end = lineEnd(rest); end >= 0; end = lineEnd(rest)) {
      this.#line.add(rest.subarray(0, end));
      items.push(...this.#endLine(this.#line.take()));
      const isPair = rest[end] === CR && end + 1 < rest.length && rest[end + 1] === LF;
      this.#endsWithCr = rest[end] === CR && end + 1 === rest.length;
      rest = rest.subarray(end + (isPair ? 2 : 1));
    }
    this.#line.add(rest);
    return items;
  }

  /** Clients discard an event that has no blank line after it. */
  end(): readonly Item[] {
    return [];
  }

  #endLine(written: Buffer): readonly Item[] {
    const hasMark = this.#isFirstLine && written.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const line = hasMark ? written.subarray(BYTE_ORDER_MARK.length) : written;
    this.#isFirstLine = false;
    if (line.length === 0) return this.#endEvent();
    const colon = line.indexOf(0x3a);
    if (colon === 0) return [COMMENT];
    const name = colon > MAX_NAME ? '' : line.toString('latin1', 0, colon < 0 ? line.length : colon);
    if (name === 'data') this.#keep(this.#data, colon < 0 ? Buffer.alloc(0) : valueAfter(line, colon));
    else if (PASSING.has(name)) this.#keep(this.#fields, line);
    return [];
  }

  #keep(list: Buffer[], bytes: Buffer): void {
    this.#size += bytes.length + 1;
    if (this.#size > this.#options.limit)
      throw notEnforceable('an event of the stream is too large (proxy.maxBody)');
    list.push(bytes);
  }

  #endEvent(): readonly Item[] {
    const fields = this.#fields;
    const data = this.#data;
    this.#fields = [];
    this.#data = [];
    this.#size = 0;
    const text = joinedLines(data);
    if (isBlank(text)) return [eventOf(fields, data)];
    if (this.#options.passesNonJson && !isJson(text, this.#options.maxDepth)) return [eventOf(fields, data)];
    return [{ json: text, frame: (masked) => eventOf(fields, linesOf(masked)) }];
  }
}

function lineEnd(bytes: Buffer): number {
  const lf = bytes.indexOf(LF);
  const cr = (lf < 0 ? bytes : bytes.subarray(0, lf)).indexOf(CR);
  return cr < 0 ? lf : cr;
}

function valueAfter(line: Buffer, colon: number): Buffer {
  return line.subarray(line[colon + 1] === 0x20 && colon + 1 < line.length ? colon + 2 : colon + 1);
}

function joinedLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from('\n'), line])));
}

/** White space between JSON values may have line ends, which would end a line of the event. */
function linesOf(json: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let rest = json;
  for (let end = lineEnd(rest); end >= 0; end = lineEnd(rest)) {
    lines.push(rest.subarray(0, end));
    rest = rest.subarray(end + 1);
  }
  return [...lines, rest];
}

function eventOf(fields: readonly Buffer[], data: readonly Buffer[]): Buffer {
  const newline = Buffer.from('\n');
  const name = Buffer.from('data: ');
  return Buffer.concat([
    ...fields.flatMap((line) => [line, newline]),
    ...data.flatMap((line) => [name, line, newline]),
    newline,
  ]);
}

function isJson(text: Buffer, maxDepth: number): boolean {
  try {
    scan(text, maxDepth);
    return true;
  } catch (error) {
    return error instanceof JsonDepthError;
  }
}
