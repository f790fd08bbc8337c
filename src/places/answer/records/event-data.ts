import { isUtf8 } from 'node:buffer';
import { isBlank, joined, JsonDepthError, scan } from '../../../core/index.ts';
import { CR, LF, NEWLINE, Pending, UNBOUNDED, type Item } from './splitter.ts';

const DATA = Buffer.from('data: ');
const OBJECT = 0x7b;
const END_OF_OBJECT = 0x7d;
const ARRAY = 0x5b;
const END_OF_ARRAY = 0x5d;
const SLASH = 0x2f;
const COLON = 0x3a;

/** After so many lines of text, other requests may have their turn. */
const LINES_AT_ONCE = 64;
const NOTHING = Buffer.alloc(0);
/** What a part of an object has, also as lenient parsers read it. */
const OF_MEMBER = /["':]/u;
/** What languages trim from text, besides control characters. */
const BLANK = /[\s\u0085]/u;

interface DataOptions {
  readonly maxDepth: number;
  /** Whether data that is not JSON passes. */
  readonly passesNonJson: boolean;
}

/**
 * The data of one event, as `data:` lines: one payload, or text that passes. A client may also read the lines of such text one
 * by one, so each line that is JSON is a payload. So is what looks like JSON and is not: lenient parsers accept it, so it must be
 * refused.
 *
 * @param text the lines of the data, joined by line feeds
 */
export function* dataItems(text: Buffer, { maxDepth, passesNonJson }: DataOptions): Generator<Item> {
  if (isBlank(text)) return yield* dataLines([text]);
  if (!passesNonJson) return yield payload(text);
  const bare = withoutBlanks(text);
  if (isJson(bare, maxDepth)) yield payload(bare);
  else yield* linesOfText(text, maxDepth, looksLikeObject(bare));
}

/** Where lines end: a line feed after a carriage return is listed, too. Time is linear in the bytes. */
export function* lineEnds(bytes: Buffer): Generator<number> {
  let lf = bytes.indexOf(LF);
  let cr = bytes.indexOf(CR);
  while (lf >= 0 || cr >= 0) {
    if (cr < 0 || (lf >= 0 && lf < cr)) {
      yield lf;
      lf = bytes.indexOf(LF, lf + 1);
    } else {
      yield cr;
      cr = bytes.indexOf(CR, cr + 1);
    }
  }
}

function payload(json: Buffer): Item {
  return { json, frame: dataLines };
}

/** @param isObject whether the text as a whole looks like one: its lines may be parts of it */
function* linesOfText(text: Buffer, maxDepth: number, isObject: boolean): Generator<Item> {
  let passed = 0;
  let start = 0;
  let lines = 0;
  for (const end of endsOfLines(text)) {
    if (++lines % LINES_AT_ONCE === 0) yield NOTHING;
    const line = text.subarray(start, end);
    const bare = withoutBlanks(line);
    if (isPayload(bare, maxDepth) || (isObject && OF_MEMBER.test(bare.toString('latin1')))) {
      if (start > passed) yield* dataLines([text.subarray(passed, start - 1)]);
      yield payload(bare);
      passed = end + 1;
    }
    start = end + 1;
  }
  if (passed <= text.length) yield* dataLines([text.subarray(passed)]);
}

function* endsOfLines(text: Buffer): Generator<number> {
  yield* lineEnds(text);
  yield text.length;
}

function isPayload(line: Buffer, maxDepth: number): boolean {
  // A scan that fails takes much longer than a look at the ends.
  return looksLikeObject(line) || (hasBrackets(line) && isJson(line, maxDepth));
}

function hasBrackets(text: Buffer): boolean {
  const last = text.at(-1);
  return text[0] === OBJECT ? last === END_OF_OBJECT : text[0] === ARRAY && last === END_OF_ARRAY;
}

/** Whether some parsers may read it as an object or a list of objects: with `NaN`, names without quotes, or comments around. */
function looksLikeObject(text: Buffer): boolean {
  const [first] = text;
  if (first !== OBJECT && first !== ARRAY && first !== SLASH) return false;
  const object = text.indexOf(OBJECT);
  return object >= 0 && text.includes(COLON, object);
}

/** Without what clients trim before they parse. Takes time that is linear in the blanks, or in text beyond ASCII at the ends. */
function withoutBlanks(text: Buffer): Buffer {
  const first = text.findIndex(isVisible);
  if (first < 0) return NOTHING;
  const bare = text.subarray(first, text.findLastIndex(isVisible) + 1);
  const isBeyondAscii = Math.max(bare[0] ?? 0, bare.at(-1) ?? 0) >= 0x80;
  return isBeyondAscii ? Buffer.from(trimmed(bare.toString())) : bare;
}

function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text.charAt(start))) start++;
  while (end > start && isTrimmed(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function isTrimmed(character: string): boolean {
  return character <= ' ' || BLANK.test(character);
}

function isVisible(byte: number): boolean {
  return byte > 0x20;
}

/** White space between JSON values may have line ends, which would end a line of the event. */
function dataLines(chunks: readonly Buffer[]): readonly Buffer[] {
  if (!chunks.some((chunk) => chunk.includes(LF) || chunk.includes(CR))) return [DATA, ...chunks, NEWLINE];
  const json = joined(chunks);
  const lines = new Pending(UNBOUNDED);
  let start = 0;
  for (const end of lineEnds(json)) {
    addLine(lines, json.subarray(start, end));
    start = end + 1;
  }
  addLine(lines, json.subarray(start));
  return [lines.take()];
}

function addLine(lines: Pending, line: Buffer): void {
  lines.add(DATA);
  lines.add(line);
  lines.add(NEWLINE);
}

/** Whether clients read it as JSON: they take a byte that is not UTF-8 for U+FFFD. */
function isJson(text: Buffer, maxDepth: number): boolean {
  try {
    scan(isUtf8(text) ? text : Buffer.from(text.toString()), maxDepth);
    return true;
  } catch (error) {
    return error instanceof JsonDepthError;
  }
}
