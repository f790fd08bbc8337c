import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { scan, TOP } from '../../../src/core/index.ts';
import { diffLines } from '../../../src/places/command-line/diff.ts';
import { prettyLines, unifiedDiff, wholeDiff } from '../../../src/places/command-line/show-diff.ts';

const part = (json: string) => ({ doc: scan(Buffer.from(json), 64), node: TOP });
const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd,', 'e', 'f', 'g', '}', '},'), { maxLength: 40 });
/** The lines of a diff, with their marks. */
function diffOf(before: readonly string[], after: readonly string[]) {
  return diffLines(before, after).flatMap(({ mark, from, to }) =>
    (mark === '-' ? before : after).slice(from, to).map((text) => ({ mark, text })),
  );
}

const withoutComma = (line: string): string => line.replace(/,$/u, '');

function record(id: number, ssn: string): string[] {
  return ['{', `"id": ${id},`, `"ssn": "${ssn}"`, '},'];
}

describe('a diff of lines', () => {
  test('has every line of both texts, in order', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffOf(before, after);
        const left = diff.filter(({ mark }) => mark !== '+').map(({ text }) => withoutComma(text));
        const right = diff.filter(({ mark }) => mark !== '-').map(({ text }) => text);
        expect(left).toEqual(before.map(withoutComma));
        expect(right).toEqual(after);
      }),
    );
  });

  test('marks nothing if the texts are the same', () => {
    fc.assert(
      fc.property(lines, (same) => {
        expect(diffOf(same, same).every(({ mark }) => mark === ' ')).toBe(true);
      }),
    );
  });

  test('finds the records that stay when others between them are removed and all are changed', () => {
    const before = [1, 2, 3, 4].flatMap((id) => record(id, `${id}-00`));
    const after = [1, 4].flatMap((id) => record(id, '***'));
    const kept = diffOf(before, after).filter(({ mark }) => mark === ' ');
    expect(kept.map(({ text }) => text)).toEqual(['{', '"id": 1,', '},', '{', '"id": 4,', '},']);
  });

  test('takes 100,000 changed lines, with anchors and without', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => [`"id": ${i},`, `"ssn": "${i}-00"`]).flat();
    const masked = many.map((line) => (line.includes('ssn') ? '"ssn": "***"' : line));
    expect(diffOf(many, masked).filter(({ mark }) => mark === '-')).toHaveLength(50_000);
    const same = Array.from({ length: 100_000 }, () => 'x');
    const other = Array.from({ length: 100_000 }, (_, i) => (i % 2 === 0 ? 'x' : 'y'));
    expect(diffOf(same, other).filter(({ mark }) => mark !== '-')).toHaveLength(100_000);
  });
});

describe('a diff of payloads', () => {
  const before = part('{"id":1,"n":1.10,"deep":[{"ssn":"123"}],"e":{},"l":[],"gone":true}');
  const after = part('{"id":1,"n":1.10,"deep":[{"ssn":"***"}],"e":{},"l":[]}');

  test('shows all lines, marked', () => {
    expect([...wholeDiff(before, after)]).toEqual([
      ' {',
      '   "id": 1,',
      '   "n": 1.10,',
      '   "deep": [',
      '     {',
      '-      "ssn": "123"',
      '+      "ssn": "***"',
      '     }',
      '   ],',
      '   "e": {},',
      '   "l": []',
      '-  "gone": true',
      ' }',
    ]);
  });

  test('shows what changes with three lines around it, in the unified format', () => {
    const members = 'abcdefghijklm'.split('').map((name) => `"${name}":1`);
    const masked = members.with(5, '"f":null');
    expect([...unifiedDiff(part(`{${members.join(',')}}`), part(`{${masked.join(',')}}`))]).toEqual([
      '@@ -4,7 +4,7 @@',
      '   "c": 1,',
      '   "d": 1,',
      '   "e": 1,',
      '-  "f": 1,',
      '+  "f": null,',
      '   "g": 1,',
      '   "h": 1,',
      '   "i": 1,',
    ]);
  });

  test.each([
    [6, ['@@ -4,14 +4,14 @@']],
    [7, ['@@ -4,7 +4,7 @@', '@@ -12,7 +12,7 @@']],
  ])('shows changes with %i lines between them at these places: %j', (between, places) => {
    const members = 'abcdefghijklmnopq'.split('').map((name) => `"${name}":1`);
    const masked = members.with(5, '"f":null').with(6 + between, '"x":null');
    const shown = [...unifiedDiff(part(`{${members.join(',')}}`), part(`{${masked.join(',')}}`))];
    expect(shown.filter((line) => line.startsWith('@@'))).toEqual(places);
  });

  test('is empty if nothing changes', () => {
    expect([...unifiedDiff(before, before)]).toEqual([]);
  });
});

test('pretty printing keeps numbers, escapes and names as they are spelled', () => {
  const text = String.raw`{"a":1e400,"b":-0,"\u0061":"\ud800\n","__proto__":[[],{}, "é"]}`;
  expect(prettyLines(part(text)).join('\n')).toBe(String.raw`{
  "a": 1e400,
  "b": -0,
  "\u0061": "\ud800\n",
  "__proto__": [
    [],
    {},
    "é"
  ]
}`);
});

test('what could drive a terminal is escaped, and means the same', () => {
  const control = String.fromCodePoint(0x9b);
  const json = `{"a${control}":"\u007f\u202e${control}31m"}`;
  const shown = prettyLines(part(json));
  expect(shown.join('')).toBe(String.raw`{  "a\u009b": "\u007f\u202e\u009b31m"}`);
  expect(JSON.parse(shown.join(''))).toEqual(JSON.parse(json));
});
