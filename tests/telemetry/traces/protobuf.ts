/** The fields of a message in protobuf, by their number: bytes and numbers in the order in which they came. */
export type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** Reads as much of protobuf as OTLP needs: varints, 64-bit numbers and what has a length. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  fields(): Fields {
    const fields = new Map<number, (Buffer | bigint)[]>();
    while (this.#at < this.#bytes.length) {
      const tag = Number(this.#varint());
      const values = fields.get(tag >> 3) ?? [];
      fields.set(tag >> 3, [...values, this.#value(tag & 7)]);
    }
    return fields;
  }

  #value(wireType: number): Buffer | bigint {
    switch (wireType) {
      case 0:
        return this.#varint();
      case 1:
        return this.#take(8).readBigUInt64LE();
      case 2:
        return this.#take(Number(this.#varint()));
      case 5:
        return BigInt(this.#take(4).readUInt32LE());
      default:
        throw new Error(`wire type ${wireType} is not known`);
    }
  }

  #take(length: number): Buffer {
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const [byte = 0] = this.#take(1);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}

export function fieldsOf(message: Buffer | undefined): Fields {
  return new Reader(message ?? Buffer.alloc(0)).fields();
}

export function messagesAt(fields: Fields, number: number): Buffer[] {
  return (fields.get(number) ?? []).filter((value) => Buffer.isBuffer(value));
}

export function textAt(fields: Fields, number: number): string {
  return String(messagesAt(fields, number)[0] ?? '');
}

export function numberAt(fields: Fields, number: number): number | undefined {
  const value = fields.get(number)?.[0];
  return typeof value === 'bigint' ? Number(value) : undefined;
}
