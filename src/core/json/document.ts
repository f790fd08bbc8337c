import type { KeyId } from './key-interner.ts';

/**
 * A JSON text together with the place of every value in it: what the scanner yields and the walker reads.
 *
 * The tape holds, in the order of the text, one word for a scalar, two for a property name and three for an object or array:
 *
 * | value             | words                                                        |
 * | ----------------- | ------------------------------------------------------------ |
 * | scalar            | `first byte << 3 \| kind`                                     |
 * | name              | `first byte << 3 \| kind`, its number                         |
 * | object, array     | `first byte << 3 \| kind`, index after it on the tape, last byte |
 *
 * An object's words are followed by name, value, name, value, …; an array's by its elements. The kind is in the low
 * three bits, so a text may have up to 2^28 bytes.
 */
export interface JsonDocument {
  /** The text, UTF-8. */
  readonly bytes: Buffer;
  /** The same bytes, to be read in whole words. */
  readonly view: DataView;
  /** What comes after the words of the text's value says nothing. */
  readonly tape: Int32Array;
  /** Another one for each text. */
  readonly serial: number;
  /** Numbers of names mean the same in texts of one generation. */
  readonly generation: number;
}

/** A value or property name: its index on the tape. */
export type Node = number;

/** One value of a text. */
export interface JsonPart {
  readonly doc: JsonDocument;
  readonly node: Node;
}

export const Kind = {
  /** A string without escapes. */
  plainString: 0,
  escapedString: 1,
  number: 2,
  true: 3,
  false: 4,
  null: 5,
  object: 6,
  array: 7,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** The longest text that a tape can describe, in bytes. */
export const MAX_TEXT_BYTES = 2 ** 28;

// What is exported is looked up each time, what is not is a constant in compiled code.
const FIRST_CONTAINER = Kind.object;
const LAST_STRING = Kind.escapedString;
const ARRAY = Kind.array;

/** How many words an object or array takes before its content. */
export const CONTAINER_WORDS = 3;
/** How many words a property name takes. */
const NAME_WORDS = 2;

/** The first value of a text: the tape begins with it. */
export const TOP: Node = 0;

/** The eight values of three bits are the eight kinds. */
export function kindOf(doc: JsonDocument, node: Node): Kind;
export function kindOf(doc: JsonDocument, node: Node): number {
  return doc.tape[node]! & 7;
}

export function isContainer(kind: Kind): boolean {
  return kind >= FIRST_CONTAINER;
}

export function isString(kind: Kind): boolean {
  return kind <= LAST_STRING;
}

/** The first byte of a value. */
export function startOf(doc: JsonDocument, node: Node): number {
  return doc.tape[node]! >>> 3;
}

/** The byte after a value. */
export function endOf(doc: JsonDocument, node: Node): number {
  const kind = kindOf(doc, node);
  if (isContainer(kind)) return doc.tape[node + 2]! + 1;
  const start = startOf(doc, node);
  if (isString(kind)) return endOfString(doc.bytes, start, kind);
  if (kind === Kind.number) return endOfNumber(doc.bytes, start);
  return start + (kind === Kind.false ? 5 : 4);
}

/**
 * The byte after a value, found from what comes after it: faster than {@link endOf}, as nothing of the value is read.
 *
 * @param next where the next value or name in the same container begins, or the container's last byte; the byte after the
 *   value itself will do as well
 */
export function endBefore(doc: JsonDocument, next: number): number {
  const { bytes } = doc;
  let end = next;
  while (isBetweenValues(bytes[end - 1]!)) end--;
  return end;
}

/**
 * How many bytes a scalar of an object or array takes, with what is between it and the next value or name: found without reading
 * it.
 */
export function roughLengthOf(doc: JsonDocument, scalar: Node): number {
  const next = scalar + 1;
  const end = next < doc.tape[TOP + 1]! ? startOf(doc, next) : doc.bytes.length;
  return end - startOf(doc, scalar);
}

/** The node after a value on the tape: its next sibling, if it has one. */
export function after(doc: JsonDocument, node: Node): Node {
  return isContainer(kindOf(doc, node)) ? doc.tape[node + 1]! : node + 1;
}

/** The value of a property, by its name. */
export function valueOf(name: Node): Node {
  return name + NAME_WORDS;
}

/** The name after a property in its object, by its name; equals {@link after} of the object if it is the last. */
export function nameAfter(doc: JsonDocument, name: Node): Node {
  return after(doc, valueOf(name));
}

/** The number of a property name: in texts of one generation the same for the same name, or {@link NO_KEY_ID}. */
export function keyIdOf(doc: JsonDocument, name: Node): KeyId {
  return doc.tape[name + 1]!;
}

/** Where what follows in a container begins: at a node, or at the container's last byte if nothing follows. */
export function startOfNext(doc: JsonDocument, node: Node, container: Node): number {
  return node < doc.tape[container + 1]! ? startOf(doc, node) : doc.tape[container + 2]!;
}

/** The first name of an object or first element of an array; equals {@link after} if it is empty. */
export function firstIn(container: Node): Node {
  return container + CONTAINER_WORDS;
}

export function isEmpty(doc: JsonDocument, container: Node): boolean {
  return firstIn(container) === doc.tape[container + 1];
}

/**
 * The first value from a node on that is no array: what is in an array follows it on the tape, however deep.
 *
 * @param stop the node after what is read, which is returned if only empty arrays come before it
 */
export function enterArrays({ tape }: JsonDocument, node: Node, stop: Node): Node {
  let at = node;
  while (at < stop && (tape[at]! & 7) === ARRAY) at = firstIn(at);
  return at;
}

/** The elements of an array, in order. */
export function* elementsOf(doc: JsonDocument, array: Node): Generator<Node> {
  const stop = after(doc, array);
  for (let element = firstIn(array); element < stop; element = after(doc, element)) yield element;
}

/** The names in an object, in order. */
export function* namesOf(doc: JsonDocument, object: Node): Generator<Node> {
  const stop = after(doc, object);
  for (let name = firstIn(object); name < stop; name = nameAfter(doc, name)) yield name;
}

function endOfString(bytes: Buffer, start: number, kind: Kind): number {
  let at = start + 1;
  if (kind === Kind.plainString) {
    for (const stop = at + SHORT_STRING; at < stop; at++) if (bytes[at] === QUOTE) return at + 1;
    return bytes.indexOf(QUOTE, at) + 1;
  }
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function endOfNumber(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && isNumberByte(bytes[at]!)) at++;
  return at;
}

function isBetweenValues(byte: number): boolean {
  return byte === COMMA || byte <= SPACE;
}

/** A digit, sign, point or exponent letter. */
function isNumberByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b || (byte | 32) === 0x65
  );
}

/** A shorter string ends sooner than a native call would find its end, in bytes. */
const SHORT_STRING = 32;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
