import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  after,
  elementsOf,
  endOf,
  isContainer,
  Kind,
  kindOf,
  namesOf,
  startOf,
  TOP,
  valueOf,
  type JsonDocument,
  type Node,
} from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { JsonDepthError, JsonSyntaxError } from '../../../src/core/json/syntax-error.ts';
import { valueAt } from '../../../src/core/json/value.ts';
import { anyBytes, jsonText } from './generate.ts';
import { misleads, parsed, withNumbers } from './oracle.ts';

const DEPTH = 100;

/** What the scanner makes of a text, or undefined where it refuses it. */
function scanned(bytes: Buffer): JsonDocument | undefined {
  try {
    return scan(bytes, DEPTH);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function scanText(text: string): JsonDocument {
  return scan(Buffer.from(text), DEPTH);
}

describe('the scanner', () => {
  test('accepts and refuses what JSON.parse does, and reads the same values', () => {
    const verdicts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        fc.pre(!misleads(bytes));
        const expected = parsed(bytes);
        const doc = scanned(bytes);
        verdicts[expected ? 'accepted' : 'refused']++;
        if (!expected || !doc) return (expected === undefined) === (doc === undefined);
        return isDeepStrictEqual(withNumbers(valueAt(doc, TOP)), expected.value);
      }),
      { numRuns: 20_000 },
    );
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(3000);
  });

  test('reads names with an escape correctly, unlike JSON.parse of Node 26', () => {
    const texts = ['{"a": 1, "\\\\": 2}', '{"a": 1, "\\n": 2}', '{"a": 1, "\\u0062": 2}'];
    expect(texts.map((text) => valueAt(scanText(text), TOP))).toEqual([
      { a: 1, '\\': 2 },
      { a: 1, '\n': 2 },
      { a: 1, b: 2 },
    ]);
  });

  test.each([
    ['nothing', ''],
    ['spaces only', ' \t\r\n'],
    ['a byte order mark', '\ufeff{}'],
    ['a byte order mark behind the value', '{}\ufeff'],
    ['a vertical tab', '\u000b1'],
    ['a no-break space', '\u00a0{}'],
    ['a comment', '{}// end'],
    ['two values', '1 2'],
    ['a comma behind the last element', '[1,]'],
    ['a comma behind the last member', '{"a":1,}'],
    ['a comma before the first element', '[,1]'],
    ['a missing comma', '[1 2]'],
    ['a missing colon', '{"a" 1}'],
    ['a missing value', '{"a":}'],
    ['a name without quotes', '{a:1}'],
    ['single quotes', "['a']"],
    ['a bracket of the wrong kind', '[1}'],
    ['an array that is not closed', '[1'],
    ['an object that is not closed', '{"a":1'],
    ['a bracket too many', '[1]]'],
    ['a plus sign', '+1'],
    ['a leading zero', '01'],
    ['a leading zero behind a sign', '-01'],
    ['a sign alone', '-'],
    ['a point without digits behind it', '1.'],
    ['a point without digits before it', '.5'],
    ['an exponent without digits', '1e'],
    ['an exponent with a sign only', '1e+'],
    ['hexadecimal digits', '0x1'],
    ['NaN', 'NaN'],
    ['Infinity', '-Infinity'],
    ['a literal in capitals', 'True'],
    ['half a literal', 'tru'],
    ['more than a literal', 'nullx'],
    ['a string that is not closed', '"a'],
    ['a string that ends in a backslash', '"a\\'],
    ['a string whose quote is escaped', '"a\\"'],
    ['an unknown escape', '"\\x41"'],
    ['an escape in capitals', '"\\N"'],
    ['an escape of three hexadecimal digits', '"\\u12"'],
    ['an escape of no hexadecimal digits', '"\\u12g4"'],
    ['a line break in a string', '"a\nb"'],
    ['a tab in a string', '"a\tb"'],
    ['a NUL in a string', '"\u0000"'],
    ['the last control character in a string', '"\u001f"'],
  ])('refuses %s', (_, text) => {
    expect(parsed(Buffer.from(text))).toBeUndefined();
    expect(() => scanText(text)).toThrow(JsonSyntaxError);
  });

  test.each([
    ['an overlong encoding', [0xc0, 0xaf]],
    ['a surrogate as three bytes', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a continuation byte alone', [0x80]],
    ['a sequence that is cut off', [0xe2, 0x82]],
    ['a byte that UTF-8 does not have', [0xff]],
  ])('refuses %s, in a string and outside', (_, bytes) => {
    expect(() => scan(Buffer.from([0x22, ...bytes, 0x22]), DEPTH)).toThrow(JsonSyntaxError);
    expect(() => scan(Buffer.from([0x31, ...bytes]), DEPTH)).toThrow(JsonSyntaxError);
  });

  test.each(['\u007f', '\u0080', '\u2028', '\uffff', '\u{10ffff}', '\ufeff', '\\ud800', '\\udc00\\ud800'])(
    'takes %j in a string',
    (text) => {
      const bytes = Buffer.from(`"${text}"`);
      expect(valueAt(scan(bytes, DEPTH), TOP)).toBe(parsed(bytes)?.value);
    },
  );

  test('names the byte at which the grammar broke, and quotes nothing', () => {
    const text = '{"ä": [1, secret]}';
    expect(() => scanText(text)).toThrow(
      expect.objectContaining({ offset: 11, message: 'unexpected character at byte 11' }),
    );
    expect(() => scanText('{"secret": ')).toThrow('unexpected end at byte 11');
  });

  test.each([
    ['[1]secret', 'unexpected character at byte 3'],
    ['{"a": 1} secret \n', 'unexpected character at byte 9'],
    ['[1, secret', 'unexpected character at byte 4'],
    ['[tru', 'unexpected end at byte 4'],
    ['[1', 'unexpected end at byte 2'],
    ['["a\n', 'unexpected end at byte 4'],
    ['[1]\u{0}', 'unexpected character at byte 3'],
    ['\u{feff}[1]', 'a byte order mark at byte 0'],
    ['\u{feff}', 'a byte order mark at byte 0'],
  ])('names the first byte that is wrong in %j', (text, message) => {
    expect(() => scanText(text)).toThrow(message);
  });

  test('names the first byte of UTF-16 that JSON does not have', () => {
    expect(() => scan(Buffer.from('[1]', 'utf16le'), DEPTH)).toThrow('unexpected character at byte 1');
  });

  test.each([
    ['a byte that UTF-8 does not have', [0xff]],
    ['Latin-1', [0xe9]],
    ['a continuation byte alone', [0x80]],
    ['many continuation bytes', Array.from({ length: 40 }, () => 0xbf)],
    ['a sequence that is cut off', [0xf0, 0x9f, 0x98]],
  ])('names the first byte of %s, wherever it is', (_, invalid) => {
    for (const before of ['', '[1,', '["é', `["${'aé€😀'.repeat(500)}`, `["${'😀'.repeat(1001)}`])
      for (const rest of ['', '"]', `${'é😀'.repeat(300)}"]`]) {
        const bytes = Buffer.concat([Buffer.from(before), Buffer.from(invalid), Buffer.from(rest)]);
        expect(() => scan(bytes, DEPTH)).toThrow(`invalid UTF-8 at byte ${Buffer.byteLength(before)}`);
      }
  });
});

describe('the depth that the scanner allows', () => {
  test.each([
    ['arrays', '[[[1]]]', 3],
    ['objects', '{"a":{"b":{"c":1}}}', 3],
    ['both', '[{"a":[{"b":1}]}]', 4],
    ['arrays with siblings', '[1,[2,[],3],{}]', 3],
    ['empty arrays', '[[]]', 2],
    ['empty objects', '{"a":{}}', 2],
  ])('is exact for %s', (_, text, depth) => {
    expect(() => scan(Buffer.from(text), depth)).not.toThrow();
    expect(() => scan(Buffer.from(text), depth - 1)).toThrow(new JsonDepthError(depth - 1));
  });

  test('may be none, for a scalar', () => {
    expect(() => scan(Buffer.from('1'), 0)).not.toThrow();
  });

  test('does not depend on what comes after: a text that is opened without end is refused', () => {
    expect(() => scan(Buffer.from('['.repeat(1_000_000)), DEPTH)).toThrow(
      /^(?:more than \d+ levels|unexpected end)/u,
    );
    expect(() => scan(Buffer.from('{"a":'.repeat(1_000_000)), DEPTH)).toThrow(
      /^(?:more than \d+ levels|unexpected end)/u,
    );
  });

  test('may be a million, which overflows no stack', () => {
    const depth = 1_000_000;
    const doc = scan(Buffer.from('['.repeat(depth) + ']'.repeat(depth)), depth);
    expect(endOf(doc, TOP)).toBe(2 * depth);
  });
});

/** Every value and name in a value, in the order of the text, containers before what they hold. */
function* nodesIn(doc: JsonDocument, node: Node): Generator<Node> {
  yield node;
  const kind = kindOf(doc, node);
  if (kind === Kind.array) for (const element of elementsOf(doc, node)) yield* nodesIn(doc, element);
  if (kind !== Kind.object) return;
  for (const name of namesOf(doc, node)) {
    yield name;
    yield* nodesIn(doc, valueOf(name));
  }
}

describe('the place of every value', () => {
  test('spans its text, and only spaces and punctuation are between them', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        fc.pre(!misleads(Buffer.from(text)));
        const doc = scanText(text);
        const nodes = [...nodesIn(doc, TOP)];
        for (const node of nodes) {
          const span = doc.bytes.subarray(startOf(doc, node), endOf(doc, node));
          expect(withNumbers(valueAt(doc, node))).toEqual(parsed(span)?.value);
        }
        expect(gapsBetween(doc, nodes)).toMatch(/^[\s,:[\]{}]*$/u);
      }),
      { numRuns: 2000 },
    );
  });

  test('is followed on the tape by the next', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const doc = scanText(text);
        const nodes = [...nodesIn(doc, TOP)];
        const objects = nodes.filter((node) => kindOf(doc, node) === Kind.object);
        const names = objects.flatMap((object) => Array.from(namesOf(doc, object)));
        const scalars = nodes.filter((node) => !isContainer(kindOf(doc, node)) && !names.includes(node));
        const nextTo = (node: Node) => nodes[nodes.indexOf(node) + 1] ?? after(doc, TOP);
        expect(scalars.map((node) => after(doc, node))).toEqual(scalars.map(nextTo));
        expect(names.map(valueOf)).toEqual(names.map(nextTo));
        expect(after(doc, TOP)).toBeGreaterThan(Math.max(...nodes));
      }),
      { numRuns: 500 },
    );
  });
});

/** The text that belongs to no scalar and no name. */
function gapsBetween(doc: JsonDocument, nodes: readonly Node[]): string {
  let gaps = '';
  let at = 0;
  for (const node of nodes.filter((one) => !isContainer(kindOf(doc, one)))) {
    gaps += doc.bytes.toString('utf8', at, startOf(doc, node));
    at = endOf(doc, node);
  }
  return gaps + doc.bytes.toString('utf8', at);
}
