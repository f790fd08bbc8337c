/** A part of a text that is to go: the bytes from `start` up to `end`. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

/** Pieces shorter than this are copied byte by byte: a native call costs more than so few bytes. */
const SHORT_PIECE = 28;

/**
 * Writes a part of a text anew while it is walked from its beginning to its end: what is replaced gives way, every other
 * byte is the same byte. Replacements have to come in the order of the text; cuts may be announced ahead.
 */
export class Splicer {
  private readonly source: Buffer;
  private readonly from: number;
  private readonly to: number;
  private target: Buffer | undefined;
  private written = 0;
  /** How far the source is taken over. */
  private read: number;
  private cuts: readonly Cut[] = [];
  private nextCut = 0;

  /**
   * @param from the part's first byte
   * @param to the byte behind the part
   */
  constructor(source: Buffer, from: number, to: number) {
    this.source = source;
    this.from = from;
    this.to = to;
    this.read = from;
  }

  /** Announces cuts, in the order of the text, before anything is replaced. */
  announce(cuts: readonly Cut[]): void {
    this.cuts = cuts;
  }

  /**
   * Puts other bytes in the place of the bytes from `start` up to `end`; where both are the same, it inserts them.
   *
   * @param length how many bytes of `text` count
   */
  replace(start: number, end: number, text: Buffer, length = text.length): void {
    while (this.nextCut < this.cuts.length && this.cuts[this.nextCut]!.start < start) this.cutNext();
    this.put(start, end, text, length);
  }

  /** The part as it is now: the source's own bytes where nothing was replaced. */
  finish(): Buffer {
    while (this.nextCut < this.cuts.length) this.cutNext();
    if (this.target === undefined) return this.source.subarray(this.from, this.to);
    this.put(this.to, this.to, NOTHING, 0);
    return this.target.subarray(0, this.written);
  }

  private cutNext(): void {
    const { start, end } = this.cuts[this.nextCut++]!;
    this.put(start, end, NOTHING, 0);
  }

  private put(start: number, end: number, text: Buffer, length: number): void {
    const { source, read, written } = this;
    if (start < read) throw new Error('replacements have to come in the order of the text');
    const kept = start - read;
    const target = this.room(kept + length);
    copy(source, read, start, target, written);
    copy(text, 0, length, target, written + kept);
    this.written = written + kept + length;
    this.read = end;
  }

  /** The target, with room for so many more bytes. */
  private room(bytes: number): Buffer {
    const needed = this.written + bytes;
    if (this.target !== undefined && needed <= this.target.length) return this.target;
    const target = Buffer.allocUnsafeSlow(Math.max(needed + (needed >> 1), this.to - this.from));
    this.target?.copy(target, 0, 0, this.written);
    this.target = target;
    return target;
  }
}

function copy(bytes: Buffer, from: number, to: number, target: Buffer, at: number): void {
  if (to - from >= SHORT_PIECE) bytes.copy(target, at, from, to);
  else for (let i = from, j = at; i < to; i++, j++) target[j] = bytes[i]!;
}

const NOTHING = Buffer.alloc(0);
