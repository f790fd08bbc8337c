import { afterEach, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonText, parseAnswer } from '../../../src/pdp/decisions/json-answer.ts';

afterEach(() => void jest.restoreAllMocks());

test('the text of a value is what the PDP wrote, without blanks', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(jsonText(parseAnswer(Buffer.from(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
  const written = '{"n":[1.50,-0.0,1e400,12345678901234567890],"s":"é\\n"}';
  expect(jsonText(parseAnswer(Buffer.from(written)))).toBe(written);
});

test('the text of a value is joined once, however deep the value is', () => {
  const joins = jest.spyOn(Array.prototype, 'join');
  const deep = `${'["a",{"b":'.repeat(200)}1${'}]'.repeat(200)}`;
  expect(jsonText(parseAnswer(Buffer.from(deep)))).toBe(deep);
  expect(joins.mock.calls.length).toBe(1);
});
