import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseInstant } from '../../../src/core/conditions/instant.ts';
import { secondsOf, shortInstantAt } from '../../../src/core/conditions/short-instant.ts';
import { firstIn, TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';

/** Two digits, also beyond what any part of an instant may be. */
const two = fc.nat({ max: 66 }).map((number) => String(number).padStart(2, '0'));
const year = fc.oneof(
  fc.constantFrom('0000', '0004', '1600', '1700', '1900', '2000', '2024', '9999'),
  fc.nat({ max: 9999 }).map((number) => String(number).padStart(4, '0')),
);
const month = fc.oneof(fc.constantFrom('02', '03', '01', '12', '00', '13'), two);
const day = fc.oneof(fc.constantFrom('28', '29', '30', '31', '32', '00', '01'), two);
const date = fc.tuple(year, month, day).map((parts) => parts.join('-'));
const clock = fc.tuple(fc.oneof(fc.constantFrom('23', '24'), two), two, two).map((parts) => parts.join(':'));
const text = fc.oneof(
  date,
  fc.tuple(date, clock).map(([on, at]) => `${on}T${at}Z`),
  fc
    .tuple(date, fc.constantFrom('T', 'Z', 'T10Z', 'T10:00Z', 'T10:00:00', 'T10:00:00.5Z', ' 10:00:00Z'))
    .map((parts) => parts.join('')),
  fc.constantFrom('', '+2026-01-01', '2026/01/01', '2026-1-1', '20a6-01-01', '2026-01-01T10-00-00Z'),
);

test('an instant in its usual spelling is read as the same seconds as any other, or not at all', () => {
  fc.assert(
    fc.property(text, (instant) => {
      const doc = scan(Buffer.from(JSON.stringify([instant, 'what follows the instant'])), 1);
      const seconds = shortInstantAt(doc, firstIn(TOP));
      const parsed = parseInstant(instant);
      expect(seconds).toBe(Number.isNaN(seconds) ? NaN : parsed && secondsOf(parsed));
    }),
    { numRuns: 20_000 },
  );
});

test.each(['2026-02-28', '2024-02-29', '0000-03-01', '2026-12-31T23:59:59Z'])(
  '%s is read where it is',
  (instant) => {
    const doc = scan(Buffer.from(JSON.stringify([instant, 'what follows the instant'])), 1);
    expect(shortInstantAt(doc, firstIn(TOP))).not.toBeNaN();
  },
);
