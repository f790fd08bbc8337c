/** How many bytes are copied at a time. */
export const WORD = 8;

/** Bytes to be written in the place of others, with room after them up to a whole word, at least one. */
export class Piece {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** How many of the bytes count. */
  length: number;

  /**
   * @param length how many bytes there is room for
   */
  constructor(length: number) {
    this.bytes = Buffer.alloc(Math.max(1, Math.ceil(length / WORD)) * WORD);
    this.view = viewOf(this.bytes);
    this.length = length;
  }

  /** A text, in UTF-8. */
  static of(text: string): Piece {
    const piece = new Piece(Buffer.byteLength(text));
    piece.bytes.write(text);
    return piece;
  }

  toString(): string {
    return this.bytes.toString('utf8', 0, this.length);
  }
}

export const NOTHING = new Piece(0);

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
