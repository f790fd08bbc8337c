import { NULL, keyIdOf, type Json, type Member, type Slot } from './model.ts';

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"/y;
const WORD = /true|false|null/y;

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', { kind: 'boolean', value: true }],
  ['false', { kind: 'boolean', value: false }],
  ['null', NULL],
]);

interface Cursor {
  readonly text: string;
  at: number;
}

/**
 * Parses a JSON text.
 *
 * @throws SyntaxError where the text is not JSON.
 */
export function parseJson(text: string): Json {
  const cursor = { text, at: 0 };
  const value = parseValue(cursor);
  if (cursor.at !== text.length) throw new SyntaxError(`There is more after the value at ${cursor.at}`);
  return value;
}

function parseValue(cursor: Cursor): Json {
  take(cursor, SPACE);
  const value = parseBareValue(cursor);
  take(cursor, SPACE);
  return value;
}

function parseBareValue(cursor: Cursor): Json {
  switch (cursor.text.charAt(cursor.at)) {
    case '{':
      return { kind: 'object', members: parseList(cursor, '}', parseMember) };
    case '[':
      return { kind: 'array', items: parseList(cursor, ']', parseItem) };
    case '"':
      return parseString(cursor);
    default:
      return parseWordOrNumber(cursor);
  }
}

function parseList<T>(cursor: Cursor, end: string, parseEntry: (cursor: Cursor) => T): T[] {
  cursor.at += 1;
  take(cursor, SPACE);
  if (accept(cursor, end)) return [];
  const entries = [parseEntry(cursor)];
  while (accept(cursor, ',')) entries.push(parseEntry(cursor));
  expect(cursor, end);
  return entries;
}

function parseItem(cursor: Cursor): Slot {
  return { value: parseValue(cursor) };
}

function parseMember(cursor: Cursor): Member {
  take(cursor, SPACE);
  const { value: name, spelling } = parseString(cursor);
  take(cursor, SPACE);
  expect(cursor, ':');
  return { name, spelling, value: parseValue(cursor) };
}

function parseString(cursor: Cursor): Extract<Json, { kind: 'string' }> {
  const spelling = take(cursor, STRING);
  if (spelling === '') throw new SyntaxError(`There is no string at ${cursor.at}`);
  const value = spelling.includes('\\') ? String(JSON.parse(spelling)) : spelling.slice(1, -1);
  return { kind: 'string', value, spelling };
}

function parseWordOrNumber(cursor: Cursor): Json {
  const word = WORDS.get(take(cursor, WORD));
  if (word !== undefined) return { ...word };
  const number = take(cursor, NUMBER);
  if (number === '') throw new SyntaxError(`There is no value at ${cursor.at}`);
  return keyIdOf(number);
}

function take(cursor: Cursor, token: RegExp): string {
  token.lastIndex = cursor.at;
  const taken = token.exec(cursor.text)?.[0] ?? '';
  cursor.at += taken.length;
  return taken;
}

function accept(cursor: Cursor, character: string): boolean {
  const found = cursor.text[cursor.at] === character;
  if (found) cursor.at += 1;
  return found;
}

function expect(cursor: Cursor, character: string): void {
  if (!accept(cursor, character)) throw new SyntaxError(`There is no ${character} at ${cursor.at}`);
}
