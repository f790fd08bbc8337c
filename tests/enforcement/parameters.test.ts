import { expect, test } from '@jest/globals';
import { scan, TOP } from '../../src/core/index.ts';
import { intentFrom } from '../../src/enforcement/index.ts';
import { readParameters } from '../../src/enforcement/parameters.ts';
import { settingsFor } from '../../src/enforcement/settings.ts';
import { MAX_QUOTED } from '../../src/shortened.ts';
import { SETTINGS } from './ports.ts';

test.each([
  ['root', '7', 'a string'],
  ['maskString', '12345678901234567890', 'a string'],
  ['maskString', 'null', 'a string'],
  ['maskString', `"${'x'.repeat(257)}"`, 'a string of at most 256 characters'],
  ['assetType', '""', 'a string that is not empty'],
  ['protectedObject', '[]', 'a string'],
  ['filter', '1e400', 'true or false'],
  ['FILTER', '"true"', 'true or false'],
  ['calculationType', '"contxt"', 'resolution or context'],
  ['calculationType', '1.10', 'resolution or context'],
])('what a parameter has to be is said in plain words: %s %s', (name, value, expected) => {
  const doc = scan(Buffer.from(`{"${name}":${value}}`), 10);
  expect(readParameters({ doc, node: TOP })).toEqual({
    problems: [{ pointer: `/parameters/${name}`, detail: `It has to be ${expected}.` }],
  });
});

test.each([
  [{ filter: true }, '{}', { filter: true }],
  [{ filter: true }, '{"filter":false}', { filter: false }],
  [{ filter: false }, '{"FILTER":true}', { filter: true }],
  [{ filter: true }, '{"filter":false,"FILTER":true}', { filter: false }],
  [{}, '{"maskString":""}', { maskString: '' }],
  [{}, '{"assetType":"rows"}', { assetType: 'rows' }],
  [{}, '{"protectedObject":"row","assetId":"id"}', { protectedObject: undefined }],
  [{}, '{"protectedObject":"row","assetId":"id","calculationType":"context"}', { protectedObject: 'row' }],
])('what the request says comes before the configuration: %j and %s', (configured, parameters, expected) => {
  const intent = intentFrom({ vendor: '{}', parameters }, 4);
  expect(settingsFor(intent.parameters, { ...SETTINGS, ...configured })).toMatchObject(expected);
});

test('a parameter named like a member of the prototype is unknown', () => {
  const doc = scan(Buffer.from('{"__proto__":{"filter":true},"constructor":1}'), 10);
  expect(readParameters({ doc, node: TOP })).toEqual({
    problems: ['__proto__', 'constructor'].map((name) => ({
      pointer: `/parameters/${name}`,
      detail: 'Unknown.',
    })),
  });
});

test('of many mistakes the first hundred are listed, with names that are not too long', () => {
  const members = Array.from({ length: 100_000 }, (_, at) => `"${'x'.repeat(at === 0 ? 1000 : 0)}r${at}":1`);
  const error = errorOf(() => intentFrom({ vendor: '{}', parameters: `{${members.join(',')}}` }, 4));
  expect(error).toHaveProperty('code', 'request-invalid');
  expect(error).toHaveProperty('errors', [
    { pointer: `/parameters/${'x'.repeat(MAX_QUOTED - 1)}…`, detail: 'Unknown.' },
    ...Array.from({ length: 99 }, (_, at) => ({ pointer: `/parameters/r${at + 1}`, detail: 'Unknown.' })),
  ]);
});

test('a parameter that occurs thousands of times is one mistake', () => {
  const parameters = `{${Array.from({ length: 10_000 }, (_, at) => `"rooot":${at}`).join(',')},"filter":true}`;
  expect(errorOf(() => intentFrom({ vendor: '{}', parameters }, 4))).toMatchObject({
    errors: [
      { pointer: '/parameters/rooot', detail: 'It may occur only once.' },
      { pointer: '/parameters/rooot', detail: 'Unknown. Did you mean root?' },
    ],
  });
});

function errorOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
