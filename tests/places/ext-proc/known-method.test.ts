import { expect, test } from '@jest/globals';
import { knownMethod } from '../../../src/places/ext-proc/known-method.ts';

test.each(['GET', 'POST', 'PROPFIND', 'QUERY'])('%s is a method', (method) => {
  expect(knownMethod(method)).toBe(method);
});

test.each(['', 'get', 'X'.repeat(3000), 'GET /', '__proto__'])(
  'other texts are not in logs and traces: %j',
  (text) => {
    expect(knownMethod(text)).toBe('_OTHER');
  },
);
