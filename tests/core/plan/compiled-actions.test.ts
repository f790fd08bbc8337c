import { expect, test } from '@jest/globals';
import { MASK, scan, TOP } from '../../../src/core/index.ts';
import { endOf } from '../../../src/core/json/document.ts';
import { compiledAction } from '../../../src/core/plan/compiled-actions.ts';

const DOC = scan(Buffer.from('"secret"'), 1);

function maskedWith(maskString: string): string {
  const result = compiledAction(MASK, { maskString, maskShort: false }).apply(DOC, TOP, endOf(DOC, TOP));
  return result.effect === 'masked' ? result.text.toString() : result.effect;
}

test('an action is compiled anew for another mask string, and once for the same', () => {
  expect(['***', '#', '***', ''].map(maskedWith)).toEqual(['"***"', '"#"', '"***"', '""']);
  const masks = { maskString: '***', maskShort: false };
  expect(compiledAction(MASK, { ...masks })).toBe(compiledAction(MASK, masks));
});

test('an action is compiled anew if short values are masked', () => {
  const masks = { maskString: '***', maskShort: false };
  const before = compiledAction(MASK, masks);
  expect(compiledAction(MASK, { ...masks, maskShort: true })).not.toBe(before);
});
