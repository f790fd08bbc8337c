import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CST, LineCounter, parseDocument, type Document } from 'yaml';
import { documentOf, LOST_VALUE } from '../../src/yaml/document.ts';

const OPTIONS = { prettyErrors: false, stringKeys: true, uniqueKeys: false } as const;

/** Lexemes that are no part of the text. */
const MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** What the package lets pass, in some texts if not in all. */
const REPORTED_BY_US = new RegExp(`^(?:${LOST_VALUE}|Missing closing .quote)$`, 'u');

const pieces = fc.oneof(
  fc.constantFrom(
    '#.a',
    '#.b.c',
    '# ',
    '#',
    '.#.b',
    'a',
    ':',
    ': ',
    'k: ',
    '- ',
    '? ',
    ' ',
    '\t',
    '\n',
    '\r\n',
  ),
  fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '"x"',
    "'y'",
    '|\n',
    '>-\n',
    '|2',
    '*a',
    '&a',
    '!t',
    '%Y',
  ),
  fc.constantFrom('---\n', '...\n', '\uFEFF', '\u00A0', '\u2028', '['.repeat(70)),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((some) => some.join(''));

/** What is in a text, and what is wrong with it. */
function contentOf(
  { contents, errors, warnings }: Pick<Document, 'contents' | 'errors' | 'warnings'>,
  lines: LineCounter,
): string {
  const common = [...errors, ...warnings].filter(({ message }) => !REPORTED_BY_US.test(message));
  const faults = common.map(({ code, pos }) => [code, pos]);
  return JSON.stringify([contents, contents?.range, faults, lines.lineStarts]);
}

test('a text is read as by the parser of the package, whatever it is, except for values that it loses', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const ours = new LineCounter();
      const theirs = new LineCounter();
      const document = documentOf(text, ours, OPTIONS, () => undefined);
      expect(contentOf(document, ours)).toBe(
        contentOf(parseDocument(text, { ...OPTIONS, lineCounter: theirs }), theirs),
      );
    }),
    { numRuns: 2000 },
  );
});

test('each lexeme is seen where it is in the text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      documentOf(text, new LineCounter(), OPTIONS, (lexeme, offset) => {
        const isMark = MARKS.has(lexeme);
        expect(isMark || text.startsWith(lexeme, offset)).toBe(true);
      });
    }),
  );
});
