/** A message that is not in the wire format of protocol buffers. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** How a value is written (https://protobuf.dev/programming-guides/encoding/). */
export const VARINT = 0;
const FIXED64 = 1;
export const LENGTH = 2;
const FIXED32 = 5;

/** A varint of more is longer than any that 64 bits need. */
const MAX_VARINT_BYTES = 10;
/** How many fields a message may have, with those of the messages in it. A header field takes three. */
const MAX_FIELDS = 100_000;
/** The bit of a byte of a varint that says that another byte follows. */
export const CONTINUES = 0x80;

/**
 * Reads one message field by field. Numbers above 2^53 lose digits; none that this service reads comes near.
 *
 * Every method throws a WireError if the bytes end too early, or a value is of another type than the method reads.
 */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  /** How many fields there may still be, of this message and all that are read with it. */
  readonly #fields: { left: number };
  #at: number;
  #type = VARINT;

  constructor(bytes: Buffer, start = 0, end = bytes.length, fields = { left: MAX_FIELDS }) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#fields = fields;
  }

  /** Goes to the next field. @returns its number; undefined at the end */
  next(): number | undefined {
    if (this.#at >= this.#end) return undefined;
    this.#fields.left -= 1;
    if (this.#fields.left < 0) throw new WireError(`The message has more than ${MAX_FIELDS} fields.`);
    const tag = this.#varint();
    this.#type = tag % 8;
    return Math.floor(tag / 8);
  }

  uint(): number {
    this.#expect(VARINT);
    return this.#varint();
  }

  bool(): boolean {
    return this.uint() !== 0;
  }

  double(): number {
    this.#expect(FIXED64);
    return this.#bytes.readDoubleLE(this.#pass(8));
  }

  /** A view of the message's own bytes. */
  bytes(): Buffer {
    return this.#bytes.subarray(this.#passContent(), this.#at);
  }

  string(): string {
    return this.#bytes.toString('utf8', this.#passContent(), this.#at);
  }

  /** Each byte as a character. */
  latin1(): string {
    return this.#bytes.toString('latin1', this.#passContent(), this.#at);
  }

  message<T>(read: (reader: WireReader) => T): T {
    return read(new WireReader(this.#bytes, this.#passContent(), this.#at, this.#fields));
  }

  /** How long the message, text or bytes of this field are. It is not gone to. */
  length(): number {
    const at = this.#at;
    const length = this.#type === LENGTH ? this.#varint() : 0;
    this.#at = at;
    return length;
  }

  skip(): void {
    switch (this.#type) {
      case VARINT:
        this.#varint();
        return;
      case FIXED64:
        this.#pass(8);
        return;
      case LENGTH:
        this.#pass(this.#varint());
        return;
      case FIXED32:
        this.#pass(4);
        return;
      default:
        throw new WireError('A field has a type that does not exist.');
    }
  }

  #expect(type: number): void {
    if (this.#type !== type) throw new WireError('A field has another type than the protocol gives it.');
  }

  /** Goes to the end of a message, a text or bytes. @returns where that begins */
  #passContent(): number {
    this.#expect(LENGTH);
    return this.#pass(this.#varint());
  }

  /** Goes on. @returns where it was */
  #pass(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw new WireError('The message ends within a field.');
    this.#at = start + length;
    return start;
  }

  #varint(): number {
    let value = 0;
    let unit = 1;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
      if (byte === undefined) throw new WireError('The message ends within a number.');
      this.#at++;
      value += (byte % CONTINUES) * unit;
      if (byte < CONTINUES) return value;
      unit *= CONTINUES;
    }
    throw new WireError('A number is longer than 64 bits.');
  }
}
