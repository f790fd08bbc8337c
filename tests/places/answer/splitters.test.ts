import { describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { endOf, startOf } from '../../../src/core/index.ts';
import type { Payload } from '../../../src/enforcement/index.ts';
import { dataItems } from '../../../src/places/answer/records/event-data.ts';
import { EventStreamSplitter } from '../../../src/places/answer/records/event-stream.ts';
import { JsonSeqSplitter } from '../../../src/places/answer/records/json-seq.ts';
import { NdjsonSplitter } from '../../../src/places/answer/records/ndjson.ts';
import type { Item, RecordLimit, Splitter } from '../../../src/places/answer/records/splitter.ts';
import { SAMPLES } from './record-streams.ts';

const LIMIT = { bytes: 2 ** 20, key: 'maxBody' };

const SPLITTERS: Readonly<Record<string, (limit: RecordLimit) => Splitter>> = {
  'application/x-ndjson': (limit) => new NdjsonSplitter({ limit, maxDepth: 10 }),
  'application/json-seq': (limit) => new JsonSeqSplitter({ limit, maxDepth: 10 }),
  'text/event-stream': (limit) => new EventStreamSplitter({ limit, maxDepth: 10, passesNonJson: false }),
};

function splitterFor(type: string | undefined, limit = LIMIT): Splitter {
  const create = SPLITTERS[type ?? ''];
  if (create === undefined) throw new Error(`no splitter for ${type}`);
  return create(limit);
}

function textAt(payload: Payload): Buffer {
  if (Buffer.isBuffer(payload)) return payload;
  const { doc, node } = payload;
  return doc.bytes.subarray(startOf(doc, node), endOf(doc, node));
}

function textOf(items: Iterable<Item>): string {
  const sent = Array.from(items, (item) =>
    Buffer.isBuffer(item) ? [item] : item.frame([textAt(item.json)]),
  );
  return Buffer.concat(sent.flat()).toString();
}

/** What is sent for a stream that arrives in pieces of so many bytes, each in the place of the one before. */
function sentFor(splitter: Splitter, body: Buffer, size: number): string {
  const place = Buffer.alloc(size);
  let text = '';
  for (let at = 0; at < body.length; at += size) {
    const length = body.copy(place, 0, at, at + size);
    text += textOf(splitter.push(place.subarray(0, length)));
    place.fill('?');
  }
  return text + textOf(splitter.end());
}

describe('a chunk may be written to again once all that it completes is taken', () => {
  test.each(SAMPLES)('$name', ({ headers, body }) => {
    const bytes = Buffer.from(body.repeat(3));
    const type = headers['content-type'];
    const whole = sentFor(splitterFor(type), bytes, bytes.length);
    for (let size = 1; size < bytes.length; size++)
      expect(sentFor(splitterFor(type), bytes, size)).toBe(whole);
  });
});

test.each(['x', '{', '{a', '{x}'])(
  'text of many lines (%s) lets others have their turn between some of them',
  (line) => {
    const text = `${line}\n`.repeat(1000);
    const items = [...dataItems(Buffer.from(text), { maxDepth: 8, passesNonJson: true })];
    const pauses = items.filter((item) => Buffer.isBuffer(item) && item.length === 0);
    expect(pauses.length).toBeGreaterThan(10);
    const sent = Buffer.concat(items.filter((item) => Buffer.isBuffer(item)));
    expect(sent.toString()).toBe(`data: ${line}\n`.repeat(1000) + 'data: \n');
  },
);

function itemsOf(text: string) {
  return [...dataItems(Buffer.from(text), { maxDepth: 8, passesNonJson: true })];
}

function payloads(text: string): readonly string[] {
  const found = itemsOf(text).flatMap((item) => (Buffer.isBuffer(item) ? [] : [item.json]));
  return found.filter((json) => Buffer.isBuffer(json)).map((json) => json.toString());
}

test('a record of a JSON text sequence is there with its line feed, in whatever pieces and over whatever lines', () => {
  const containers = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify([value], null, 2));
  fc.assert(
    fc.property(fc.array(containers, { minLength: 1 }), fc.integer({ min: 1, max: 40 }), (texts, size) => {
      const splitter = splitterFor('application/json-seq');
      for (const text of texts) {
        const bytes = Buffer.from(`\u001e${text}\n`);
        let sent = '';
        for (let at = 0; at < bytes.length; at += size)
          sent += textOf(splitter.push(bytes.subarray(at, at + size)));
        expect(sent.trimEnd()).toBe(bytes.toString().trimEnd());
      }
      expect(splitter.end()).toEqual([]);
    }),
  );
});

test.each(['{}}\n', '{"a":\n]\n', '{"a":"}\n', '[1]\n[2]\n', String.raw`{"a":"\"}` + '\n'])(
  'a record of a JSON text sequence that is none waits for its end: %j',
  (text) => {
    const splitter = splitterFor('application/json-seq');
    const pieces = [`\u001e${text}`, text, '\n'];
    for (const piece of pieces) expect([...splitter.push(Buffer.from(piece))]).toEqual([]);
    expect(splitter.end()).toHaveLength(1);
  },
);

test('text before the first separator of a JSON text sequence is refused', () => {
  const splitter = splitterFor('application/json-seq');
  const read = () => [...splitter.push(Buffer.from('{"ssn":"1"}\n')), ...splitter.end()];
  expect(read).toThrow('it is not a JSON text sequence');
});

test('text behind a record of a JSON text sequence that was sent is refused', () => {
  const splitter = splitterFor('application/json-seq');
  expect(textOf(splitter.push(Buffer.from('\u001e{}\n')))).toBe('\u001e{}\n\n');
  expect(() => [...splitter.push(Buffer.from('{"ssn":"1"}\n'))]).toThrow('it is not a JSON text sequence');
});

test.each(['\n\u001e{}\n', '\u001e \n\u001e{}\n', '\u001e\n\n{}\n'])(
  'a record of a JSON text sequence that is blank is none: %j',
  (text) => {
    const splitter = splitterFor('application/json-seq');
    expect(textOf(splitter.push(Buffer.from(text))).replaceAll(/\s/gu, '')).toBe('\u001e{}');
    expect(splitter.end()).toEqual([]);
  },
);

test('a record of a JSON text sequence after a blank line does not wait for the next one', () => {
  const splitter = splitterFor('application/json-seq');
  const sent = ['\u001e{}\n', '\u001e\n', '[1]\n'].map((piece) => textOf(splitter.push(Buffer.from(piece))));
  expect(sent.map((text) => text.trim())).toEqual(['\u001e{}', '', '\u001e\n[1]']);
});

test('an empty piece within the end of a line does not end an event', () => {
  const splitter = splitterFor('text/event-stream');
  const pieces = ['event: a\r', '', '\ndata: {}\r', '', '\n\r\n'];
  const sent = pieces.map((piece) => textOf(splitter.push(Buffer.from(piece))));
  expect(sent.join('')).toBe('event: a\ndata: {}\n\n');
});

test.each([
  ['a line of NDJSON', 'application/x-ndjson', 'x'.repeat(1000)],
  ['a record of a JSON text sequence', 'application/json-seq', `\u001e${'x'.repeat(1000)}`],
  ['a line of an event', 'text/event-stream', 'x'.repeat(1000)],
  ['an event', 'text/event-stream', `data:${'x'.repeat(499)}\n`.repeat(2)],
])('%s may have as many bytes as allowed, and no more', (_, type, text) => {
  const splitter = splitterFor(type, { bytes: 1000, key: 'maxBody' });
  expect([...splitter.push(Buffer.from(text))]).toEqual([]);
  expect(() => [...splitter.push(Buffer.from('data\n'))]).toThrow('maxBody');
});

test.each([
  ['application/x-ndjson', '{"a":1}\n'],
  ['application/json-seq', '\u001e{"a":1}\n'],
  ['text/event-stream', 'event: a\ndata: {"a":1}\n\n'],
])('a stream may be longer than each of its records: %s', (type, record) => {
  const splitter = splitterFor(type, { bytes: 100, key: 'maxBody' });
  const sent = Array.from({ length: 20 }, () => textOf(splitter.push(Buffer.from(record))).trim());
  expect(sent).toEqual(Array.from({ length: 20 }, () => record.trim()));
});

test.each([
  ['application/x-ndjson', 'x'.repeat(100)],
  ['application/json-seq', `\u001e${'x'.repeat(100)}\n`],
  ['text/event-stream', `data:${'x'.repeat(100)}\n`],
  ['text/event-stream', `event:${'x'.repeat(94)}\n`],
])('what waits for the rest of its record is counted: %s', (type, text) => {
  const splitter = splitterFor(type);
  expect([...splitter.push(Buffer.from(text))]).toEqual([]);
  expect(splitter.size).toBeGreaterThanOrEqual(100);
});

test('an event without data has none of the one before', () => {
  const splitter = splitterFor('text/event-stream');
  const text = 'event: a\ndata: {}\n\nevent: b\n\n';
  expect(textOf(splitter.push(Buffer.from(text)))).toBe(text);
});

test.each(['data: ', 'id: ', 'event: '])(
  'an event of many lines of %j may not be longer than a record',
  (name) => {
    const splitter = new EventStreamSplitter({
      limit: { bytes: 1000, key: 'maxBody' },
      maxDepth: 10,
      passesNonJson: false,
    });
    const lines = (count: number) => Buffer.from(`${name}${'x'.repeat(90)}\n`.repeat(count));
    expect([...splitter.push(lines(9))]).toEqual([]);
    expect(() => [...splitter.push(lines(9))]).toThrow('maxBody');
  },
);

describe('on a route with nonJson: pass, the data of an event', () => {
  const JSON_TEXT = '{"ssn":"1"}';

  test.each([
    ' ',
    '\t',
    '\v',
    '\f',
    '\u0000',
    '\u0085',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\ufeff',
    '\ufeff \u00a0',
  ])('is JSON with %j before it, after it and around it, which clients trim', (blank) => {
    for (const text of [blank + JSON_TEXT, JSON_TEXT + blank, blank + JSON_TEXT + blank]) {
      expect(payloads(text)).toEqual([JSON_TEXT]);
      expect(payloads(`text\n${text}\n`)).toEqual([JSON_TEXT]);
    }
  });

  test.each([
    '{"ssn":"1","n":NaN}',
    '{"ssn":"1",}',
    '[{"ssn" : "1"} /* one */]',
    '[NaN,{"ssn":"1"}]',
    '{\'a\':1,"ssn":"1"}',
    "{'ssn':'1'}",
    '{ssn: 1}',
    '{"ssn"\u00a0:"1"}',
    '{"ssn":"1"} // one',
    '/* one */ {"ssn":"1"}',
    '[{ssn:1}] // one',
  ])('that lenient parsers read as JSON is a payload, which is refused then: %s', (text) => {
    expect(payloads(text)).toEqual([text]);
    expect(payloads(`text\n${text}`)).toEqual([text]);
  });

  test('that nests more deeply than payloads may is a payload, which is refused then', () => {
    const deep = `${'['.repeat(9)}"1"${']'.repeat(9)}`;
    expect(payloads(deep)).toEqual([deep]);
    expect(payloads(`text\n${deep}`)).toEqual([deep]);
  });

  test('that has a byte which is no UTF-8 is a payload, since clients read another character there', () => {
    const text = Buffer.from('["\u00ff"]', 'latin1');
    const items = [...dataItems(text, { maxDepth: 8, passesNonJson: true })];
    expect(items).toMatchObject([{ json: text }]);
  });

  test('is no text if it looks like JSON over several lines', () => {
    expect(payloads('{"ssn":"1",\n"n":NaN\n}')).toEqual(['{"ssn":"1",', '"n":NaN']);
    expect(payloads('{"ssn"\n:NaN}')).toEqual(['{"ssn"', ':NaN}']);
    expect(payloads("{\nssn:\n'1'\n}")).toEqual(['ssn:', "'1'"]);
  });

  test.each(['text\n{"a":1}\n', '{"a":1}\n\ntext', '\n{"a":1}\ntext'])(
    'keeps its lines around one that is JSON: %j',
    (text) => {
      expect(textOf(itemsOf(text))).toBe(`data: ${text.replaceAll('\n', '\ndata: ')}\n`);
    },
  );

  test.each([
    '[DONE]',
    '{name}',
    'he said "a": b',
    '[info] "GET /" [ok]',
    'größe',
    'ééé "x"',
    '{',
    '"":',
    'and more: {"a":1}',
    '/customers/{id}',
    '[info] GET /a:b',
    '\u3000',
  ])('is text if it is none of that: %s', (text) => {
    expect(payloads(text)).toEqual([]);
    expect(Buffer.concat(itemsOf(text).filter((item) => Buffer.isBuffer(item))).toString()).toBe(
      `data: ${text}\n`,
    );
  });
});

test.each([
  ['blanks after a record', '{}', ' '],
  ['lines after what is none', '{}}', '\n'],
])('%s of a JSON text sequence are copied once, however they arrive', (_, record, blank) => {
  const concat = jest.spyOn(Buffer, 'concat');
  const splitter = splitterFor('application/json-seq');
  const blanks = 20_000;
  for (const text of [`\u001e${record}`, ...Array.from({ length: blanks }, () => blank)])
    textOf(splitter.push(Buffer.from(text)));
  let copied = 0;
  for (const [chunks] of concat.mock.calls) for (const { length } of chunks) copied += length;
  concat.mockRestore();
  expect(copied).toBeLessThan(blanks * 4);
  expect(textOf(splitter.end()).trimEnd()).toBe(`\u001e${record}`);
});
