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

const WHITESPACE = /[ \t\n\r]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const SCALAR = /[^\s,\]}]+/y;
/** What neither begins nor ends anything. */
const OTHERS = /[^"{}[\]]*/y;

/**
 * Finds every value in a JSON text. The server has checked the text, so this reads it loosely.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function jsonTree(text: string): JsonNode {
  return valueAt(text, skip(WHITESPACE, text, 0));
}

/**
 * A value in objects within objects as it is written, by the name of each member on the way: of several, the first.
 *
 * @returns undefined if there is none
 */
export function memberText(text: string, ...names: readonly string[]): string | undefined {
  let from: number | undefined = skip(WHITESPACE, text, 0);
  for (const name of names) {
    from = memberFrom(text, from, name);
    if (from === undefined) return undefined;
  }
  return text.slice(from, valueEnd(text, from));
}

/** Where the value of a member begins. What follows it is not looked at. */
function memberFrom(text: string, object: number, name: string): number | undefined {
  let at = skip(WHITESPACE, text, object + 1);
  while (text[at] === '"') {
    const { key, from } = nameAt(text, at);
    if (key === name) return from;
    const comma = skip(WHITESPACE, text, valueEnd(text, from));
    at = skip(WHITESPACE, text, comma + 1);
  }
  return undefined;
}

/** A JSON pointer (RFC 6901) one step further. */
export function pointerTo(parent: string, key: string): string {
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function valueAt(text: string, from: number): JsonNode {
  const first = text[from];
  if (first === '{' || first === '[') return containerAt(text, from, first === '{');
  const to = skip(first === '"' ? STRING : SCALAR, text, from);
  if (to === from) throw new SyntaxError('This is not JSON.');
  return { kind: 'scalar', from, to, children: [] };
}

function containerAt(text: string, from: number, isObject: boolean): JsonNode {
  const children: JsonChild[] = [];
  const close = isObject ? '}' : ']';
  let at = skip(WHITESPACE, text, from + 1);
  while (text[at] !== close) {
    const child = isObject ? memberAt(text, at) : elementAt(text, at, children.length);
    children.push(child);
    at = skip(WHITESPACE, text, child.value.to);
    if (text[at] === ',') at = skip(WHITESPACE, text, at + 1);
    else if (text[at] !== close) throw new SyntaxError('This is not JSON.');
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
  const end = skip(STRING, text, start);
  const name = text.slice(start, end);
  const colon = skip(WHITESPACE, text, end);
  if (text[colon] !== ':') throw new SyntaxError('This is not JSON.');
  return { key: unquoted(name), from: skip(WHITESPACE, text, colon + 1) };
}

function unquoted(name: string): string {
  return name.includes('\\') ? String(JSON.parse(name)) : name.slice(1, -1);
}

/** Where a value ends. */
function valueEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return skip(STRING, text, from);
  return first === '{' || first === '[' ? containerEnd(text, from) : skip(SCALAR, text, from);
}

function containerEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length;) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth++;
    if (sign === '}' || sign === ']') depth--;
    if (depth === 0) return at + 1;
    at = skip(OTHERS, text, sign === '"' ? Math.max(skip(STRING, text, at), at + 1) : at + 1);
  }
  throw new SyntaxError('This is not JSON.');
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
