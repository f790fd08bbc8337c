import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, oneof, property, type Arbitrary } from 'fast-check';
import { endOf, startOf } from '../../../src/core/index.ts';
import type { Payload } from '../../../src/enforcement/index.ts';
import { JsonSeqSplitter } from '../../../src/places/answer/records/json-seq.ts';
import { NdjsonSplitter } from '../../../src/places/answer/records/ndjson.ts';
import type { Item } from '../../../src/places/answer/records/splitter.ts';

const BOUNDS = { limit: { bytes: 2 ** 20, key: 'maxBody' }, maxDepth: 4 };

/** Records of which some are whole only together with the next one, and others are two. */
const PARTS = ['{}', '{"a":"x', 'y"}', '{"a":1', '"b":2}', '[1', '2]', '{"a":1},{"b":2}', '[1],[2]'] as const;
/** Records, and what else an application may send in their place. */
const ALL = [
  ...PARTS,
  '[{"b":"é"}]',
  ' {"c":[1,2]} \t',
  '[[[[1]]]]',
  '[[[[[1]]]]]',
  '{',
  '}',
  '[',
  ']',
  '5',
  '"text"',
  'null',
  '',
  ' ',
  '\r',
  ',',
  '\u00ff',
] as const;

interface Format {
  readonly name: string;
  readonly create: () => NdjsonSplitter | JsonSeqSplitter;
  readonly streamOf: (records: readonly string[]) => string;
}

const FORMATS: readonly Format[] = [
  {
    name: 'application/x-ndjson',
    create: () => new NdjsonSplitter(BOUNDS),
    streamOf: (records) => records.map((record) => `${record}\n`).join(''),
  },
  {
    name: 'application/json-seq',
    create: () => new JsonSeqSplitter(BOUNDS),
    streamOf: (records) => records.map((record) => `\x1e${record}\n`).join(''),
  },
];

function manyOf(records: readonly string[]): Arbitrary<readonly string[]> {
  return array(constantFrom(...records), { maxLength: 6 });
}

function textAt(payload: Payload): Buffer {
  if (Buffer.isBuffer(payload)) return payload;
  const { doc, node } = payload;
  return doc.bytes.subarray(startOf(doc, node), endOf(doc, node));
}

/** What is sent, and which payloads are enforced, without the white space around them. */
function readingOf(items: Iterable<Item>): readonly string[] {
  return Array.from(items, (item) =>
    Buffer.isBuffer(item)
      ? `passes ${JSON.stringify(item.toString('latin1'))}`
      : Buffer.concat(item.frame([Buffer.from(`<${textAt(item.json).toString('latin1').trim()}>`)])).toString(
          'latin1',
        ),
  );
}

/** The same items, those that pass joined: how many there are says nothing. */
function joined(reading: readonly string[]): string {
  return reading.join('|').replaceAll('"|passes "', '');
}

describe.each(FORMATS)('records of $name that arrive together', ({ create, streamOf }) => {
  test('are those that arrive byte by byte, whatever they are', () => {
    assert(
      property(oneof(manyOf(PARTS), manyOf(ALL)), (records) => {
        const stream = Buffer.from(streamOf(records), 'latin1');
        const together = create();
        const alone = create();
        const items = [...readingOf(together.push(stream)), ...readingOf(together.end())];
        const others = Array.from(stream, (_, at) =>
          readingOf(alone.push(stream.subarray(at, at + 1))),
        ).flat();
        expect(joined(items)).toBe(joined([...others, ...readingOf(alone.end())]));
      }),
      { numRuns: 3000 },
    );
  });

  test('are scanned together if each is an object or an array, as deep as it may be', () => {
    const items = [
      ...create().push(Buffer.from(streamOf(['{"a":1}', '[[[[1]]]]', ' {} ', '{"a":"}{"}', '{"b":2}']))),
    ];
    const docs = items.flatMap((item) =>
      Buffer.isBuffer(item) || Buffer.isBuffer(item.json) ? [] : [item.json.doc],
    );
    expect(docs.length).toBeGreaterThanOrEqual(4);
    expect(new Set(docs).size).toBe(1);
  });

  test.each([
    ['nests too deep', '[[[[[1]]]]]'],
    ['is no object', '5'],
    ['has a comma', '{"a":1},{"b":2}'],
    ['is whole only with the next one', '{"a":"x'],
  ])('are scanned by themselves if one %s', (_, odd) => {
    const items = [...create().push(Buffer.from(streamOf(['{"a":1}', odd, 'y"}', '{"b":2}'])))];
    const payloads = items.flatMap((item) => (Buffer.isBuffer(item) ? [] : [item.json]));
    expect(payloads.length).toBeGreaterThanOrEqual(3);
    expect(payloads.every((payload) => Buffer.isBuffer(payload))).toBe(true);
  });
});
