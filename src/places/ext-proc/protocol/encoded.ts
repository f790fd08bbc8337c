import { lengthOf } from '../../listener/index.ts';
import { CONTINUES, LENGTH, VARINT } from './wire.ts';

/** A message, or a part of one, that can be written: the length of each part comes before it. */
export interface Encoded {
  /** In bytes. */
  readonly length: number;
  /** @returns where it ends */
  writeTo(target: Buffer, at: number): number;
}

/** The bytes of a message. */
export function bytesOf(message: Encoded): Buffer {
  const bytes = Buffer.allocUnsafe(message.length);
  message.writeTo(bytes, 0);
  return bytes;
}

/** A field that is a message. */
export function field(number: number, ...fields: readonly Encoded[]): Encoded {
  return new Field(number, new Message(fields));
}

export function textField(number: number, text: string): Encoded {
  return new Field(number, new Text(text, 'utf8'));
}

/** @param text each character of which is a byte */
export function latin1Field(number: number, text: string): Encoded {
  return new Field(number, new Text(text, 'latin1'));
}

export function bytesField(number: number, chunks: readonly Uint8Array[]): Encoded {
  return field(number, ...chunks.map((chunk) => new Bytes(chunk)));
}

export function uintField(number: number, value: number): Encoded {
  return new Uint(number, value);
}

/** Of a message in which `false` is as good as no field. */
export function flagField(number: number, value: boolean): Encoded {
  return value ? new Uint(number, 1) : new Message([]);
}

/** The fields of a message. */
export class Message implements Encoded {
  readonly length: number;
  readonly #fields: readonly Encoded[];

  constructor(fields: readonly Encoded[]) {
    this.length = lengthOf(fields);
    this.#fields = fields;
  }

  writeTo(target: Buffer, at: number): number {
    let end = at;
    for (const one of this.#fields) end = one.writeTo(target, end);
    return end;
  }
}

class Field implements Encoded {
  readonly length: number;
  readonly #tag: number;
  readonly #content: Encoded;

  constructor(number: number, content: Encoded) {
    this.#tag = number * 8 + LENGTH;
    this.#content = content;
    this.length = varintLength(this.#tag) + varintLength(content.length) + content.length;
  }

  writeTo(target: Buffer, at: number): number {
    const start = writeVarint(target, at, this.#tag);
    return this.#content.writeTo(target, writeVarint(target, start, this.#content.length));
  }
}

class Uint implements Encoded {
  readonly length: number;
  readonly #tag: number;
  readonly #value: number;

  constructor(number: number, value: number) {
    this.#tag = number * 8 + VARINT;
    this.#value = value;
    this.length = varintLength(this.#tag) + varintLength(value);
  }

  writeTo(target: Buffer, at: number): number {
    return writeVarint(target, writeVarint(target, at, this.#tag), this.#value);
  }
}

class Text implements Encoded {
  readonly length: number;
  readonly #text: string;
  readonly #encoding: 'utf8' | 'latin1';

  constructor(text: string, encoding: 'utf8' | 'latin1') {
    this.#text = text;
    this.#encoding = encoding;
    this.length = Buffer.byteLength(text, encoding);
  }

  writeTo(target: Buffer, at: number): number {
    return at + target.write(this.#text, at, this.#encoding);
  }
}

class Bytes implements Encoded {
  readonly length: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    this.#bytes = bytes;
  }

  writeTo(target: Buffer, at: number): number {
    target.set(this.#bytes, at);
    return at + this.length;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= CONTINUES; rest = Math.floor(rest / CONTINUES)) length++;
  return length;
}

function writeVarint(target: Buffer, at: number, value: number): number {
  let end = at;
  let rest = value;
  for (; rest >= CONTINUES; rest = Math.floor(rest / CONTINUES))
    target[end++] = (rest % CONTINUES) + CONTINUES;
  target[end++] = rest;
  return end;
}
