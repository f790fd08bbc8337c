import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { elementsOf, TOP, type JsonDocument } from '../../src/core/json/document.ts';
import { ScalarTexts } from '../../src/core/scalar-texts.ts';
import { scan } from '../../src/core/json/scan.ts';
import { scalarTextAt } from '../../src/core/json/text.ts';

/** Characters of each length in UTF-8, and those that JSON escapes. */
const unit = fc.constantFrom('a', '1', 'é', '€', '😀', '\ud83d', '\ude00', '\n', '"', '\\', '\u0000', '.');
const string = fc.string({ unit, maxLength: 6 }).chain((text) =>
  // The same text, spelt with escapes that it does not need.
  fc.constantFrom(
    JSON.stringify(text),
    `"${Array.from({ length: text.length }, (_, at) => escaped(text.charCodeAt(at))).join('')}"`,
  ),
);
const scalar = fc.oneof(
  { weight: 4, arbitrary: string },
  fc.constantFrom(
    '1',
    '1.0',
    '-0',
    '10',
    'true',
    'false',
    'null',
    '{}',
    '"1"',
    '"true"',
    `"${'x'.repeat(40)}"`,
  ),
);
const list = fc
  .array(scalar, { maxLength: 200 })
  .map((items) => scan(Buffer.from(`[${items.join(',')}]`), 2));

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

function textsOf(doc: JsonDocument): ScalarTexts {
  const texts = new ScalarTexts(doc);
  for (const element of elementsOf(doc, TOP)) texts.add(element);
  return texts;
}

/** Each text once, in order. */
function expected(doc: JsonDocument): readonly string[] {
  const texts = Array.from(elementsOf(doc, TOP), (element) => scalarTextAt(doc, element));
  return [...new Set(texts.filter((text) => text !== undefined))];
}

const LIST = { open: Buffer.from('['), close: Buffer.from(']'), before: '', after: '' };

describe('the texts of scalars', () => {
  test('are each there once, in order, however they are spelt', () => {
    fc.assert(
      fc.property(list, (doc) => {
        const texts = textsOf(doc);
        expect(texts.all()).toEqual(expected(doc));
        expect(texts.length).toBe(expected(doc).length);
      }),
      { numRuns: 300 },
    );
  });

  test('are written as strings of JSON that say the same', () => {
    fc.assert(
      fc.property(list, (doc) => {
        const around = { ...LIST, before: '{"path":', after: '}' };
        const paths = expected(doc).map((path) => ({ path }));
        expect(JSON.parse(textsOf(doc).asJson(around).toString())).toEqual(paths);
      }),
      { numRuns: 300 },
    );
  });

  test('may be many, and come back to the beginning of the document', () => {
    const numbers = Array.from({ length: 20_000 }, (_, at) => String(at % 15_000));
    const doc = scan(Buffer.from(`[${numbers.join(',')}]`), 1);
    const texts = textsOf(doc);
    for (const element of elementsOf(doc, TOP)) texts.add(element);
    expect(texts.all()).toEqual(numbers.slice(0, 15_000));
    expect(texts.asJson(LIST).toString()).toBe(`["${numbers.slice(0, 15_000).join('","')}"]`);
  });

  test('may be digits that are no value of the document', () => {
    const doc = scan(Buffer.from('["12",3]'), 1);
    const texts = textsOf(doc);
    for (const digits of ['3', '4', '12', '4']) texts.addDigits(digits);
    expect(texts.all()).toEqual(['12', '3', '4']);
    expect(texts.asJson(LIST).toString()).toBe('["12","3","4"]');
  });
});
