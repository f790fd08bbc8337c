import { describe, expect, test } from '@jest/globals';
import { assert, asyncProperty, jsonValue, string } from 'fast-check';
import { escapeUnprintable } from '../../../src/telemetry/log/index.ts';
import { jsonOf, loggerInMemory, textOf } from './memory-sink.ts';

/** Whatever a terminal or a log collector could take for the end of a line or a command. */
const BREAKS = /[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}]/u;

const HOSTILE = 'a\nb\r\nc\u2028d\u2029e\u0085f\u001b[31mg\u0000h\u202ei\ud800j';

describe('json', () => {
  test('is one object with the time, the level, the message and the fields, in this order', async () => {
    const line = await jsonOf('Listening', { port: 5002, tls: false, host: null });
    expect(line.replace(/"time":"[^"]+"/, '"time":"T"')).toBe(
      '{"time":"T","level":"info","message":"Listening","port":5002,"tls":false,"host":null}',
    );
    expect(JSON.parse(line)).toHaveProperty('time', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/));
  });

  test('lets no field pose as the entry itself', async () => {
    const entry: unknown = JSON.parse(
      await jsonOf('real', { message: 'fake', level: 'error', time: 'never' }),
    );
    expect(entry).toMatchObject({ message: 'real', level: 'info', time: expect.stringMatching(/^\d{4}-/) });
  });

  test('escapes every line break and control character, and still means the same', async () => {
    const line = await jsonOf(HOSTILE, { [HOSTILE]: HOSTILE });
    expect(line).not.toMatch(BREAKS);
    expect(line).toContain(String.raw`c\u2028d\u2029e\u0085f\u001b[31mg\u0000h\u202ei\ud800j`);
    expect(JSON.parse(line)).toMatchObject({ message: HOSTILE, [HOSTILE]: HOSTILE });
  });

  test('is one line of JSON for any message and fields', async () => {
    await assert(
      asyncProperty(string({ unit: 'binary' }), jsonValue(), async (message, value) => {
        const line = await jsonOf(message, { value });
        expect(line).not.toMatch(BREAKS);
        expect(JSON.parse(line)).toHaveProperty('message', message);
      }),
      { numRuns: 100 },
    );
  });
});

test('an entry has each name once: its own field in the place of that of its log', async () => {
  const { logger, sink } = loggerInMemory('json');
  logger.child({ id: 'of the log', other: 1 }).info('Done', { id: 'own' });
  await logger.close();
  expect(sink.lines[0]).toMatch(/"message":"Done","other":1,"id":"own"\}$/u);
});

test.each(['\u001b', '\u007f', '\u009b', '\u2028', '\u2029', '\u202e', '\u2066', '\ud800'])(
  'escapes %j among characters of ASCII',
  (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    expect(escapeUnprintable(`a${character}b`)).toBe(`a\\u${code}b`);
  },
);

describe('text', () => {
  test('begins with the time and the level', async () => {
    const { logger, sink } = loggerInMemory('text');
    logger.warn('Slow');
    logger.error('Broken');
    await logger.close();
    expect(sink.lines).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z WARN Slow$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z ERROR Broken$/),
    ]);
  });

  test('has the line of a dry run as the specification words it', async () => {
    const message = 'Enforcement by Policy Mask SSN on id 7 was skipped for User jane';
    expect(await textOf(message)).toBe(`INFO ${message}`);
  });

  test.each([
    ['plain', 'key=plain'],
    [5002, 'key=5002'],
    [null, 'key=null'],
    ['two words', 'key="two words"'],
    ['a=b', 'key="a=b"'],
    ['a\\b', 'key="a\\\\b"'],
    ['say "x"', 'key="say \\"x\\""'],
    ['', 'key=""'],
    [{ a: [1, 'b'] }, 'key={"a":[1,"b"]}'],
  ])('shows %j so that it cannot be taken for another pair', async (value, expected) => {
    expect(await textOf('message', { key: value })).toBe(`INFO message ${expected}`);
  });

  test('quotes a name that is no plain word', async () => {
    expect(await textOf('message', { 'a b': 1 })).toBe('INFO message "a b"=1');
  });

  test('escapes every line break and control character', async () => {
    const line = await textOf(HOSTILE, { [HOSTILE]: HOSTILE });
    expect(line).not.toMatch(BREAKS);
    expect(line).toContain(
      String.raw`INFO a\nb\r\nc\u2028d\u2029e\u0085f\u001b[31mg\u0000h\u202ei\ud800j "a\nb`,
    );
  });

  test('leaves the characters of every script as they are', async () => {
    expect(await textOf('Zoë 日本 👩‍👩‍👧', { name: 'שלום' })).toBe('INFO Zoë 日本 👩‍👩‍👧 name=שלום');
  });

  test('is one line for any message and fields', async () => {
    await assert(
      asyncProperty(string({ unit: 'binary' }), jsonValue(), async (message, value) => {
        expect(await textOf(message, { value })).not.toMatch(BREAKS);
      }),
      { numRuns: 100 },
    );
  });
});
