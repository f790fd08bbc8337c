/** A message that is not in the wire format of protocol buffers. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** How a value is written (https://protobuf.dev/programming-guides/encoding/). */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

/** A varint of more is longer than any that 64 bits need. */
const MAX_VARINT_BYTES = 10;
const CONTINUES = 0x80;
const UTF8 = new TextDecoder();

/**
 * Reads one message field by field. Numbers above 2^53 lose digits; none that this service reads comes near.
 *
 * Every method throws a WireError if the bytes end too early, or a value is of another type than the method reads.
 */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #type = VARINT;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Goes to the next field. @returns its number; undefined at the end */
  next(): number | undefined {
    if (this.#at >= this.#bytes.length) return undefined;
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
    const bytes = this.#take(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  /** A view of the message's own bytes. */
  bytes(): Uint8Array {
    this.#expect(LENGTH);
    return this.#take(this.#varint());
  }

  string(): string {
    return UTF8.decode(this.bytes());
  }

  /** Each byte as a character. */
  latin1(): string {
    const bytes = this.bytes();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  }

  message<T>(read: (reader: WireReader) => T): T {
    return read(new WireReader(this.bytes()));
  }

  skip(): void {
    switch (this.#type) {
      case VARINT:
        this.#varint();
        return;
      case FIXED64:
        this.#take(8);
        return;
      case LENGTH:
        this.#take(this.#varint());
        return;
      case FIXED32:
        this.#take(4);
        return;
      default:
        throw new WireError('A field has a type that does not exist.');
    }
  }

  #expect(type: number): void {
    if (this.#type !== type) throw new WireError('A field has another type than the protocol gives it.');
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new WireError('The message ends within a field.');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #varint(): number {
    let value = 0;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new WireError('The message ends within a number.');
      this.#at++;
      value += (byte % CONTINUES) * 2 ** (7 * i);
      if (byte < CONTINUES) return value;
    }
    throw new WireError('A number is longer than 64 bits.');
  }
}

/** A message, or a part of one, in pieces that follow each other. */
export type Encoded = readonly Uint8Array[];

/** A field that is a message, a text or bytes. */
export function field(number: number, ...parts: Encoded): Encoded {
  return [Buffer.from([...varint(number * 8 + LENGTH), ...varint(lengthOf(parts))]), ...parts];
}

export function textField(number: number, text: string): Encoded {
  return field(number, Buffer.from(text));
}

export function uintField(number: number, value: number): Encoded {
  return [Buffer.from([...varint(number * 8 + VARINT), ...varint(value)])];
}

export function boolField(number: number, value: boolean): Encoded {
  return value ? uintField(number, 1) : [];
}

function lengthOf(parts: Encoded): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= CONTINUES; rest = Math.floor(rest / CONTINUES)) bytes.push((rest % CONTINUES) + CONTINUES);
  return [...bytes, rest];
}
