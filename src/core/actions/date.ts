import { plain } from './bracketed.ts';
import { firstDayOf, monthOf } from './calendar.ts';
import { scalarMask } from './scalar-mask.ts';

/** `year()`: the first day of the year. */
export const year = plain(
  'year',
  {
    forms: ['year()'],
    example: { action: 'year()', before: '"2026-11-21"', after: '"2026-01-01"' },
    suits: 'Birthdays and dates of events in statistics.',
    reveals: 'The year in UTC, and whether there was a time. The very old are few.',
  },
  scalarMask({
    text: (text) => {
      const found = monthOf(text);
      return found && firstDayOf({ ...found, month: 1 });
    },
  }),
);

/** `month()`: the first day of the month. */
export const month = plain(
  'month',
  {
    forms: ['month()'],
    example: { action: 'month()', before: '"2026-11-21T23:30:00-02:00"', after: '"2026-11-01T00:00:00Z"' },
    suits: 'Dates of orders and visits in reports by month.',
    reveals: 'The month in UTC, and whether there was a time.',
  },
  scalarMask({
    text: (text) => {
      const found = monthOf(text);
      return found && firstDayOf(found);
    },
  }),
);
