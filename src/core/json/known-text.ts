import { bufferOf } from './bytes.ts';
import { viewOf } from './piece.ts';

/** What stands for objects that are known: an object, too, because nothing before or after it can become a part of it. */
const PLACEHOLDER = Buffer.from('{}');
/** So many objects may differ; of more, four times as many have to be the same: to read what differs takes more than the rest. */
const FEW_MISSES = 4;
const SAME_PER_MISS = 4;
/** How many bytes are compared without a native call, and how many of them at a time. */
const NEAR = 512;
const WORD = 4;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Set in a curly bracket, and not in the square one of the same side. */
const CURLY = 0x20;

/** An object in a text: an element of a list. */
export interface TextPart<T> {
  /** Its first byte, and the byte after it. */
  readonly start: number;
  readonly end: number;
  /** The list that it is in, by number. */
  readonly list: number;
  /** What it was read as. */
  readonly of: T;
}

/** Objects that follow one another in one list. */
export type TextRun<T> = readonly TextPart<T>[];

/** Bytes that are compared with others. */
interface Text {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** Lists of objects in a JSON text, so that another text that has most of the objects need not be read as a whole. */
export class KnownText<T> {
  private readonly text: Text;
  private readonly parts: TextRun<T>;

  /** @param parts all elements of some lists, in the order of the text, none within another */
  constructor(bytes: Uint8Array, parts: TextRun<T>) {
    this.text = textOf(Buffer.from(bytes));
    this.parts = parts;
  }

  /** How many objects it has. */
  get count(): number {
    return this.parts.length;
  }

  /**
   * Another text in which placeholders stand for the objects that it has as well, one for several that follow one another. In
   * JSON, elements of a list may take the place of one: if the shorter text is JSON, so is the other, and says the same apart from
   * the placeholders.
   *
   * @returns undefined if too few objects are the same
   */
  shorten(bytes: Uint8Array): ShortenedText<T> | undefined {
    const text = new ShortenedText<T>(bufferOf(bytes));
    const other = textOf(text.original);
    const shiftAtEnd = bytes.length - this.text.bytes.length;
    /** How far the objects of this text are from those of the other. */
    let shift = 0;
    let misses = 0;
    for (let next = 0, part = this.parts[0]; part !== undefined; part = this.parts[next]) {
      if (next === 0) shift = this.shiftOfFirst(part, other);
      let run = this.runAt(next, shift, other, text.covered);
      if (run.length === 0 && shift !== shiftAtEnd) {
        run = this.runAt(next, shiftAtEnd, other, text.covered);
        if (run.length > 0) shift = shiftAtEnd;
      }
      if (run.length > 0) {
        text.replace(run, part.start + shift);
        next += run.length;
        continue;
      }
      const end = endOfObject(text.original, part.start + shift);
      if (end === undefined || ++misses > FEW_MISSES + text.count / SAME_PER_MISS) return undefined;
      shift = end - part.end;
      next++;
    }
    return text.count === 0 ? undefined : text;
  }

  /** What comes before the first object may be longer or shorter than it was. */
  private shiftOfFirst({ start, end }: TextPart<T>, other: Text): number {
    if (commonLength(this.text, 0, other, 0, start) === start) return 0;
    const at = other.bytes.indexOf(this.text.bytes.subarray(start, end));
    return at < 0 ? 0 : at - start;
  }

  /** The objects of one list from one on that the other text has as well, so far from where they are here. */
  private runAt(first: number, shift: number, other: Text, covered: number): TextRun<T> {
    const part = this.parts[first];
    if (part === undefined || part.start + shift < covered) return NO_PARTS;
    const stop = part.start + commonLength(this.text, part.start, other, part.start + shift);
    if (part.end > stop) return NO_PARTS;
    let last = first;
    for (let next = this.parts[last]; next !== undefined; next = this.parts[++last])
      if (next.end > stop || next.list !== part.list) break;
    return this.parts.slice(first, last);
  }
}

const NO_PARTS: readonly never[] = [];

function textOf(bytes: Buffer): Text {
  return { bytes, view: viewOf(bytes) };
}

/** A text in which placeholders stand for objects that are known. */
export class ShortenedText<T> {
  readonly original: Buffer;
  /** How much of the original was taken, in bytes. */
  covered = 0;
  /** How many objects there are placeholders for. */
  count = 0;
  /** In order: from where to where the original is replaced, and the place of the placeholder. */
  private readonly replaced: { readonly start: number; readonly end: number; readonly at: number }[] = [];
  /** By the places of their placeholders. */
  private readonly runs = new Map<number, TextRun<T>>();
  private length = 0;

  constructor(original: Buffer) {
    this.original = original;
  }

  /** Puts a placeholder in the place of what is at a byte of the original, after all that was replaced before. */
  replace(run: TextRun<T>, start: number): void {
    const first = run[0]?.start ?? 0;
    const last = run.at(-1)?.end ?? first;
    this.length += start - this.covered;
    this.covered = start + last - first;
    this.replaced.push({ start, end: this.covered, at: this.length });
    this.runs.set(this.length, run);
    this.length += PLACEHOLDER.length;
    this.count += run.length;
  }

  /** What the placeholder at a byte stands for; undefined if none is there. */
  runAt(at: number): TextRun<T> | undefined {
    return this.runs.get(at);
  }

  /** The place in the original of a byte of the shorter text that is not within a placeholder. */
  originalOf(at: number): number {
    const { replaced } = this;
    let from = 0;
    for (let to = replaced.length; from < to;) {
      const middle = (from + to) >> 1;
      if (replaced[middle]!.at < at) from = middle + 1;
      else to = middle;
    }
    const before = replaced[from - 1];
    return before ? before.end + at - before.at - PLACEHOLDER.length : at;
  }

  /** The shorter text. */
  get bytes(): Buffer {
    const { original } = this;
    const bytes = Buffer.allocUnsafe(this.length + original.length - this.covered);
    let from = 0;
    let to = 0;
    for (const { start, end, at } of this.replaced) {
      original.copy(bytes, to, from, start);
      to = at + PLACEHOLDER.copy(bytes, at);
      from = end;
    }
    original.copy(bytes, to, from);
    return bytes;
  }
}

/** For how many bytes two texts are the same, from a byte of each on. Few are compared here, many by native calls. */
function commonLength(a: Text, fromA: number, b: Text, fromB: number, limit = Infinity): number {
  if (fromB < 0 || fromB > b.bytes.length) return 0;
  const most = Math.min(a.bytes.length - fromA, b.bytes.length - fromB, limit);
  const near = commonWords(a, fromA, b, fromB, 0, Math.min(most, NEAR));
  if (near < NEAR) return near;
  let common = near;
  for (let block = NEAR; common < most && block >= NEAR;) {
    const size = Math.min(block, most - common);
    const [atA, atB] = [fromA + common, fromB + common];
    if (a.bytes.compare(b.bytes, atB, atB + size, atA, atA + size) === 0) {
      common += size;
      block *= 2;
    } else if (size <= NEAR) break;
    else block = size >> 2;
  }
  return commonWords(a, fromA, b, fromB, common, most);
}

/** The same up to `most` bytes, of which the first are known to be the same. */
function commonWords(a: Text, fromA: number, b: Text, fromB: number, known: number, most: number): number {
  let common = known;
  while (
    common + WORD <= most &&
    a.view.getInt32(fromA + common, true) === b.view.getInt32(fromB + common, true)
  )
    common += WORD;
  while (common < most && a.bytes[fromA + common] === b.bytes[fromB + common]) common++;
  return common;
}

/** @returns undefined if no object begins there, or it does not end */
function endOfObject(bytes: Buffer, start: number): number | undefined {
  if (start < 0 || start >= bytes.length || bytes[start] !== OPEN_OBJECT) return undefined;
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if ((byte | CURLY) === OPEN_OBJECT) depth++;
    else if ((byte | CURLY) === CLOSE_OBJECT && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The quote that ends a string, or the end of the text. */
function endOfString(bytes: Buffer, quote: number): number {
  let at = quote + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
