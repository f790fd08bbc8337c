const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Counts the open brackets of a JSON text that arrives in pieces, each byte once. What is wrong in it does not matter. */
export class Nesting {
  #depth = 0;
  #hasOpened = false;
  #isInString = false;
  #isEscaped = false;

  /** Whether a first object or array has ended. */
  get isClosed(): boolean {
    return this.#hasOpened && this.#depth <= 0 && !this.#isInString;
  }

  reset(): void {
    this.#depth = 0;
    this.#hasOpened = false;
    this.#isInString = false;
    this.#isEscaped = false;
  }

  read(piece: Buffer): void {
    for (const byte of piece) {
      if (this.#isInString) this.#readInString(byte);
      else if (byte === QUOTE) this.#isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#depth++;
        this.#hasOpened = true;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
    }
  }

  #readInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }
}
