/** A value of a JSON text and where it is, in UTF-16 units. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'scalar';
  readonly from: number;
  readonly to: number;
  /** Members and elements, in order; none in a scalar. */
  readonly children: readonly JsonChild[];
}

/** A member or an element. */
export interface JsonChild {
  /** The name of a member, unescaped; the index of an element. */
  readonly key: string;
  /** Where the name of the member, or the element, begins. */
  readonly start: number;
  readonly value: JsonNode;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const NO_CHILDREN: readonly JsonChild[] = [];

/**
 * Finds every value in a JSON text. The server has checked the text, so this reads it loosely.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function jsonTree(text: string): JsonNode {
  return valueAt(text, blanksEnd(text, 0));
}

/**
 * A value in objects within objects as it is written, by the name of each member on the way: of several, the first.
 *
 * @returns undefined if there is none
 */
export function memberText(text: string, ...names: readonly string[]): string | undefined {
  let from: number | undefined = blanksEnd(text, 0);
  for (const name of names) {
    from = memberFrom(text, from, name);
    if (from === undefined) return undefined;
  }
  return text.slice(from, valueEnd(text, from));
}

/** Where the value of a member begins. What follows it is not looked at. */
function memberFrom(text: string, object: number, name: string): number | undefined {
  let at = blanksEnd(text, object + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const { key, from } = nameAt(text, at);
    if (key === name) return from;
    const comma = blanksEnd(text, valueEnd(text, from));
    at = blanksEnd(text, comma + 1);
  }
  return undefined;
}

/** A JSON pointer (RFC 6901) one step further. */
export function pointerTo(parent: string, key: string): string {
  const isPlain = !key.includes('~') && !key.includes('/');
  return `${parent}/${isPlain ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function valueAt(text: string, from: number): JsonNode {
  const first = text.charCodeAt(from);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return containerAt(text, from, first === OPEN_OBJECT);
  const to = scalarEnd(text, from);
  if (to === from) throw notJson();
  return { kind: 'scalar', from, to, children: NO_CHILDREN };
}

function containerAt(text: string, from: number, isObject: boolean): JsonNode {
  const children: JsonChild[] = [];
  const close = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
  let at = blanksEnd(text, from + 1);
  while (text.charCodeAt(at) !== close) {
    const child = isObject ? memberAt(text, at) : elementAt(text, at, children.length);
    children.push(child);
    at = blanksEnd(text, child.value.to);
    const next = text.charCodeAt(at);
    if (next === COMMA) at = blanksEnd(text, at + 1);
    else if (next !== close) throw notJson();
  }
  return { kind: isObject ? 'object' : 'array', from, to: at + 1, children };
}

function elementAt(text: string, start: number, index: number): JsonChild {
  return { key: String(index), start, value: valueAt(text, start) };
}

function memberAt(text: string, start: number): JsonChild {
  const { key, from } = nameAt(text, start);
  return { key, start, value: valueAt(text, from) };
}

/** The name of a member, and where its value begins. */
function nameAt(text: string, start: number): { readonly key: string; readonly from: number } {
  const end = stringEnd(text, start);
  const name = text.slice(start, end);
  const colon = blanksEnd(text, end);
  if (text[colon] !== ':') throw notJson();
  return { key: unquoted(name), from: blanksEnd(text, colon + 1) };
}

function unquoted(name: string): string {
  return name.includes('\\') ? String(JSON.parse(name)) : name.slice(1, -1);
}

/** Where a value ends. */
function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from);
  return first === OPEN_OBJECT || first === OPEN_ARRAY ? containerEnd(text, from) : scalarEnd(text, from);
}

function containerEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = Math.max(stringEnd(text, at) - 1, at);
    else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) depth++;
    else if ((sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) && --depth === 0) return at + 1;
  }
  throw notJson();
}

/** Where a string, a number or a literal ends; where it begins, if there is none. */
function scalarEnd(text: string, from: number): number {
  if (text.charCodeAt(from) === QUOTE) return stringEnd(text, from);
  let at = from;
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++;
  return at;
}

function endsScalar(sign: number): boolean {
  return sign === COMMA || sign === CLOSE_OBJECT || sign === CLOSE_ARRAY || isBlank(sign);
}

/** Where a string ends; where it begins, if it has no end. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) return at + 1;
    if (sign === BACKSLASH) at++;
  }
  return from;
}

function blanksEnd(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

function isBlank(sign: number): boolean {
  return sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09;
}

function notJson(): SyntaxError {
  return new SyntaxError('This is not JSON.');
}
