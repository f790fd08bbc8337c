import { isUtf8 } from 'node:buffer';
import { isBlank, joined, JsonDepthError, scan } from '../../../core/index.ts';
import { CR, LF, NEWLINE, Pending, UNBOUNDED, type Item } from './splitter.ts';

const DATA = Buffer.from('data: ');
const OBJECT = 0x7b;
const END_OF_OBJECT = 0x7d;
const ARRAY = 0x5b;
const END_OF_ARRAY = 0x5d;

/** After so many lines of text, other requests may have their turn. */
const LINES_AT_ONCE = 64;
const NOTHING = Buffer.alloc(0);

interface DataOptions {
  readonly maxDepth: number;
  /** Whether data that is not JSON passes. */
  readonly passesNonJson: boolean;
}

/**
 * The data of one event, as `data:` lines: one payload, or text that passes. A client may also read the lines of such text one
 * by one, so each line that is JSON is a payload.
 *
 * @param text the lines of the data, joined by line feeds
 */
export function* dataItems(text: Buffer, { maxDepth, passesNonJson }: DataOptions): Generator<Item> {
  if (isBlank(text)) yield* dataLines([text]);
  else if (!passesNonJson || isJson(text, maxDepth)) yield payload(text);
  else yield* linesOfText(text, maxDepth);
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

function* linesOfText(text: Buffer, maxDepth: number): Generator<Item> {
  let passed = 0;
  let start = 0;
  let lines = 0;
  for (const end of endsOfLines(text)) {
    if (++lines % LINES_AT_ONCE === 0) yield NOTHING;
    const line = text.subarray(start, end);
    if (isPayload(line, maxDepth)) {
      if (start > passed) yield* dataLines([text.subarray(passed, start - 1)]);
      yield payload(line);
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
  const first = line.find(isVisible);
  if (first !== OBJECT && first !== ARRAY) return false;
  // A scan that fails takes much longer than a look at the end.
  return (
    line.findLast(isVisible) === (first === OBJECT ? END_OF_OBJECT : END_OF_ARRAY) && isJson(line, maxDepth)
  );
}

function isVisible(byte: number): boolean {
  return byte !== 0x20 && byte !== 0x09;
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
