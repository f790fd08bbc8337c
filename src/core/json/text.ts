import { endOf, isString, Kind, kindOf, startOf, type JsonDocument, type Node } from './document.ts';
import { escapedUnitAt, unescaped } from './unescape.ts';

const BACKSLASH = 0x5c;
const LAST_ASCII = 0x7f;
/** So few bytes are decoded one by one: a native call costs more. */
const FEW = 8;

/**
 * What a string or property name says, escapes resolved; lone surrogates stay as they are.
 *
 * @param node a string or property name
 */
export function stringAt(doc: JsonDocument, node: Node): string {
  const start = startOf(doc, node);
  const end = endOf(doc, node);
  if (kindOf(doc, node) === Kind.plainString) return textBetween(doc.bytes, start + 1, end - 1);
  return unescaped(doc.bytes, start + 1, end - 1);
}

/** The text of UTF-8. */
function textBetween(bytes: Buffer, start: number, end: number): string {
  if (end - start > FEW) return bytes.toString('utf8', start, end);
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte > LAST_ASCII) return bytes.toString('utf8', start, end);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Whether a string with escapes says a text. The string is decoded only if its first character is that of the text. */
export function says(doc: JsonDocument, node: Node, text: string): boolean {
  const first = startOf(doc, node) + 1;
  const byte = doc.bytes[first]!;
  const unit = byte === BACKSLASH ? escapedUnitAt(doc.bytes, first) : byte;
  return (unit > LAST_ASCII || unit === text.charCodeAt(0)) && stringAt(doc, node) === text;
}

/** A value as it is spelt in the text. */
export function rawAt(doc: JsonDocument, node: Node): string {
  return textBetween(doc.bytes, startOf(doc, node), endOf(doc, node));
}

/**
 * A scalar as text: what a string says, a number or boolean as it is spelt.
 *
 * @returns undefined for null, objects and arrays
 */
export function scalarTextAt(doc: JsonDocument, node: Node): string | undefined {
  const kind = kindOf(doc, node);
  if (isString(kind)) return stringAt(doc, node);
  return kind < Kind.null ? rawAt(doc, node) : undefined;
}

/** Whether a string can stand in a text without an escape. */
export function mayBePlain(text: string): boolean {
  return text.isWellFormed() && JSON.stringify(text) === `"${text}"`;
}
