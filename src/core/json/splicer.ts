import { NOTHING, viewOf, WORD, type Piece } from './piece.ts';

/** What the result may take up. */
export interface SplicerRoom {
  /** The longest result, in bytes. */
  readonly limit: number;
  /** Called before memory is requested, with how many bytes the result takes then. It may throw. */
  reserve(bytes: number): void;
}

/** The result is longer than its room allows. */
export class TooLongError extends Error {
  /** In bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(`more than ${limit} bytes`);
    this.name = 'TooLongError';
    this.limit = limit;
  }
}

/** Without bounds. */
export const ANY_ROOM: SplicerRoom = { limit: Infinity, reserve: () => undefined };

/** What is no longer than this, in bytes, is copied word by word: a native call costs more. */
const SHORT = 96;

/** A part that stays and has at least this many bytes is not copied: the result refers to the source's bytes. */
const MIN_REFERENCED = 2 ** 16;
/**
 * The size of the buffers that the result is written to, in bytes. One for all of a large text would be memory that the system
 * gives out and takes back each time, page by page; these come from what was freed before.
 */
const CHUNK = 2 ** 20;

/** Memory that chunks are parts of. */
interface Memory {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** How many of the bytes belong to chunks. */
  used: number;
}

/** Short chunks are parts of the same memory, as small buffers of Node's are: a buffer and a view cost more than their bytes. */
const SHARED_SIZE = Buffer.poolSize;
const MAX_SHARED = SHARED_SIZE / 2;
let shared: Memory = { bytes: NOTHING.bytes, view: NOTHING.view, used: NOTHING.bytes.length };

function memoryFor(size: number): Memory {
  if (size > MAX_SHARED) return memoryOf(Buffer.allocUnsafe(size));
  if (shared.used + size > shared.bytes.length) shared = memoryOf(Buffer.allocUnsafeSlow(SHARED_SIZE));
  return shared;
}

function memoryOf(bytes: Buffer): Memory {
  return { bytes, view: viewOf(bytes), used: 0 };
}

/**
 * Writes a part of a text anew while it is walked from its beginning to its end: what is replaced gives way, every other
 * byte is the same byte. Replacements have to come in the order of the text; cuts may be announced ahead.
 */
export class Splicer {
  private readonly source: Buffer;
  private readonly from: number;
  private readonly to: number;
  private readonly sourceView: DataView;
  /** The last byte of the source before which whole words may be read. */
  private readonly lastWord: number;
  private readonly room: SplicerRoom;
  /** What the result begins with. */
  private readonly done: Buffer[] = [];
  /** The memory that is written to; none as long as nothing is replaced. */
  private target = NOTHING.bytes;
  private targetView = NOTHING.view;
  /** Where the chunk ends in that memory. */
  private capacity = 0;
  private memory: Memory | undefined;
  private written = 0;
  /** From where on what is written to the chunk is not among what is done. */
  private open = 0;
  /** How far the source is taken over. */
  private read: number;
  /** The bytes at which announced cuts begin and end, in turn. */
  private cuts: readonly number[] = [];
  private nextCut = 0;
  /** How many bytes are done. */
  private length = 0;

  /**
   * @param from the part's first byte
   * @param to the byte after the part
   * @param room what the result may take up
   * @param view the source, to be read in whole words
   */
  constructor(source: Buffer, from: number, to: number, room = ANY_ROOM, view = viewOf(source)) {
    this.source = source;
    this.sourceView = view;
    this.lastWord = source.length - WORD;
    this.from = from;
    this.to = to;
    this.room = room;
    this.read = from;
  }

  /**
   * Announces cuts before anything is replaced.
   *
   * @param cuts where each begins and ends, in turn, in the order of the text
   */
  announce(cuts: readonly number[]): void {
    this.cuts = cuts;
  }

  /** Puts a piece in the place of the bytes from `start` up to `end`; where both are the same, it inserts it. */
  replace(start: number, end: number, piece: Piece): void {
    if (this.nextCut < this.cuts.length) this.cutBefore(start);
    this.put(start, end, piece);
  }

  /** Leaves out the bytes from `start` up to `end`. */
  cut(start: number, end: number): void {
    if (this.nextCut < this.cuts.length) this.cutBefore(start);
    // What is cut after another cut needs no place of its own.
    if (start === this.read && this.capacity > 0) this.read = end;
    else this.put(start, end, NOTHING);
  }

  /**
   * The part as it is now, in chunks: the source's own bytes if nothing was replaced.
   *
   * @throws TooLongError if it is longer than its room; {@link replace} throws it too
   */
  finish(): readonly Buffer[] {
    while (this.nextCut < this.cuts.length) this.cutNext();
    if (this.capacity === 0) return [this.source.subarray(this.from, this.to)];
    this.put(this.to, this.to, NOTHING);
    this.settle();
    this.release();
    this.check(0);
    return this.done;
  }

  private cutBefore(start: number): void {
    while (this.nextCut < this.cuts.length && this.cuts[this.nextCut]! < start) this.cutNext();
  }

  private cutNext(): void {
    const at = this.nextCut;
    this.nextCut = at + 2;
    this.put(this.cuts[at]!, this.cuts[at + 1]!, NOTHING);
  }

  /**
   * Takes over what comes before `start`, and adds a piece. Both are copied in whole words if they are short: what that
   * writes too much is written over by what comes next.
   */
  private put(start: number, end: number, piece: Piece): void {
    const { read, written } = this;
    const kept = start - read;
    const { length, view } = piece;
    const added = written + kept;
    // As a number without a sign, one that is less than none is large.
    if (kept >>> 0 >= MIN_REFERENCED || added + length + WORD > this.capacity) {
      this.makeRoom(start, length);
      this.put(start, end, piece);
      return;
    }
    const { targetView } = this;
    if (kept > SHORT || start > this.lastWord) this.source.copy(this.target, written, read, start);
    else {
      const { sourceView } = this;
      for (let from = read, to = written; from < start; from += WORD, to += WORD)
        targetView.setBigInt64(to, sourceView.getBigInt64(from, true), true);
    }
    if (length <= WORD) targetView.setBigInt64(added, view.getBigInt64(0, true), true);
    else if (length > SHORT) piece.bytes.copy(this.target, added, 0, length);
    else
      for (let from = 0; from < length; from += WORD)
        targetView.setBigInt64(added + from, view.getBigInt64(from, true), true);

    this.written = added + length;
    this.read = end;
  }

  /** Makes room for what comes before `start`, and so many bytes more. */
  private makeRoom(start: number, length: number): void {
    if (start < this.read) throw new Error('replacements have to come in the order of the text');
    if (start - this.read >= MIN_REFERENCED) this.reference(start);
    const needed = start - this.read + length + WORD;
    if (this.written + needed > this.capacity) this.beginChunk(needed);
  }

  /**
   * @param needed how many bytes it has to have room for
   */
  private beginChunk(needed: number): void {
    this.settle();
    const size = Math.max(needed, Math.min(CHUNK, this.to - this.read + WORD));
    this.check(needed - WORD);
    this.room.reserve(this.length + size);
    const memory = memoryFor(size);
    const { bytes, used } = memory;
    this.target = bytes;
    this.targetView = memory.view;
    this.written = used;
    this.open = used;
    memory.used += size;
    this.capacity = memory.used;
    this.memory = memory;
  }

  /** Gives back what the last chunk leaves of its memory. */
  private release(): void {
    const { memory, capacity, written } = this;
    if (memory !== undefined && memory.used === capacity) memory.used = written;
  }

  private reference(start: number): void {
    this.settle();
    this.push(this.source.subarray(this.read, start));
    this.read = start;
  }

  /** @param needed how many bytes are added to those that are done */
  private check(needed: number): void {
    if (this.length + needed > this.room.limit) throw new TooLongError(this.room.limit);
  }

  private push(chunk: Buffer): void {
    this.done.push(chunk);
    this.length += chunk.length;
  }

  private settle(): void {
    if (this.written > this.open) this.push(this.target.subarray(this.open, this.written));
    this.open = this.written;
  }
}
