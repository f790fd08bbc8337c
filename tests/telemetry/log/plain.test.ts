import { describe, expect, test } from '@jest/globals';
import { plainFields } from '../../../src/telemetry/log/plain.ts';
import type { Plain } from '../../../src/telemetry/log/plain.ts';
import { jsonOf, textOf } from './memory-sink.ts';

function plain(value: unknown): Plain | undefined {
  return plainFields({ value })['value'];
}

class Client {
  readonly token = 'hunter2';
}

function failure(): Error {
  return Object.assign(new TypeError('boom'), {
    code: 'ECONNRESET',
    config: { headers: { authorization: 'Bearer hunter2' } },
    toJSON: () => 'hunter2',
  });
}

describe('an error', () => {
  test('has its name, message, code and stack, and nothing else', () => {
    const error = failure();
    expect(plain(error)).toEqual({
      name: 'TypeError',
      message: 'boom',
      code: 'ECONNRESET',
      stack: error.stack,
    });
  });

  test('has no code if it has none', () => {
    expect(Object.keys(Object(plain(new Error('boom'))))).toEqual(['name', 'message', 'stack']);
  });

  test('has its cause, reduced in the same way', () => {
    const error = new Error('outer', { cause: failure() });
    expect(plain(error)).toMatchObject({ message: 'outer', cause: { message: 'boom', code: 'ECONNRESET' } });
    expect(JSON.stringify(plain(error))).not.toContain('hunter2');
  });

  test('has no cause that is not an error', () => {
    expect(plain(new Error('outer', { cause: { token: 'hunter2' } }))).not.toHaveProperty('cause');
  });

  test('that causes itself ends', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(plain(error))).toContain('[nested too deeply]');
  });

  test('is found at any depth', () => {
    expect(plain({ results: [failure()] })).toMatchObject({ results: [{ code: 'ECONNRESET' }] });
  });

  test.each([
    ['json', jsonOf],
    ['text', textOf],
  ])('is on one line, with its stack: %s', async (_, lineOf) => {
    const line = await lineOf('Failed', { error: failure() });
    expect(line).toContain(String.raw`"stack":"TypeError: boom\n    at `);
    expect(line).not.toMatch(/\n|hunter2/);
  });
});

describe('a value', () => {
  test.each([
    [12n, '12'],
    [Number.NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new URL('http://pdp/api'), 'http://pdp/api'],
    [new Map([['token', 'hunter2']]), '[object Map]'],
    [new Client(), '[object Object]'],
    [Uint8Array.of(1), '[object Uint8Array]'],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      [undefined, () => 1, 1],
      [null, null, 1],
    ],
  ])('that JSON cannot say is said in its words: %p', (value, expected) => {
    expect(plain(value)).toEqual(expected);
  });

  test.each([undefined, () => 1, Symbol('x')])('that is no data is left out: %p', (value) => {
    expect(plainFields({ value })).toEqual({});
  });

  test('that holds itself is cut', () => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    expect(JSON.stringify(plain(value))).toMatch(/^(\{"self":){8,9}"\[nested too deeply\]"\}+$/);
  });

  test('named __proto__ is a field like any other', () => {
    expect(JSON.stringify(plainFields(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
  });

  test('that cannot be read does not stop the entry', async () => {
    const fields = Object.defineProperty({}, 'broken', {
      enumerable: true,
      get: () => {
        throw new Error('hunter2');
      },
    });
    expect(await textOf('message', { fields })).toBe('INFO message fields="[not readable]"');
  });
});
