import { expect, jest, test } from '@jest/globals';
import { unlessKnown } from '../../src/files/unless-known.ts';

/** What reads texts one after the other, and what has been used of them. @returns also the outcome of a call */
function reading(...texts: readonly (string | Error)[]) {
  const rest = [...texts];
  const used = jest.fn<(content: { readonly cert: Buffer }) => void>();
  const read = () => {
    const next = rest.shift();
    if (typeof next !== 'string') throw next ?? new Error('nothing is left');
    return { cert: Buffer.from(next) };
  };
  return { again: unlessKnown({ cert: Buffer.from('a') }, read, used), used };
}

test('what is known is left out at the first look alone', () => {
  const { again, used } = reading('a', 'a');
  again();
  expect(used).not.toHaveBeenCalled();
  again();
  expect(used).toHaveBeenCalledTimes(1);
});

test('what has changed before the first look is used', () => {
  const { again, used } = reading('b');
  again();
  expect(used).toHaveBeenCalledWith({ cert: Buffer.from('b') });
});

test('what is back after a failure is used, as the failure has been reported', () => {
  const { again, used } = reading(new Error('half a file'), 'a');
  expect(again).toThrow('half a file');
  again();
  expect(used).toHaveBeenCalledTimes(1);
});
