import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { leastChange } from '../../playground/src/least-change.ts';

const piece = fc.oneof(
  fc.string(),
  fc.nat(1200).map((length) => 'ab'.repeat(length)),
);

test('a change makes one text of the other, and touches nothing that both begin or end with', () => {
  fc.assert(
    fc.property(piece, piece, piece, piece, (head, removed, inserted, end) => {
      const before = head + removed + end;
      const after = head + inserted + end;
      const change = leastChange(before, after);
      const { from, to, insert } = change ?? { from: 0, to: 0, insert: '' };
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
      const old = before.slice(from, to);
      const isLeast =
        old === '' || insert === '' || (old.at(0) !== insert.at(0) && old.at(-1) !== insert.at(-1));
      expect(isLeast).toBe(true);
    }),
  );
});
