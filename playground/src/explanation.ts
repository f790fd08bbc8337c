import * as z from 'zod/mini';
import { isChange, isRecordReason } from './reasons.ts';
import type { Change, RecordReason } from './reasons.ts';

export type { Change, Condition, Lost, RecordReason } from './reasons.ts';

const rule = z.object({
  id: z.number(),
  policy: z.string(),
  action: z.string(),
  priority: z.optional(z.union([z.number(), z.string()])),
  effect: z.enum(['allowed', 'denied']),
  dryRun: z.boolean(),
  place: z.string(),
  reached: z.number(),
  applied: z.number(),
});

const explanation = z.object({
  rules: z.array(rule),
  // There are thousands of them. A schema of their members would take longer than everything else that is done with them.
  changes: z.array(z.custom<Change>(isChange)),
  records: z.array(z.custom<RecordReason>(isRecordReason)),
  truncated: z.optional(z.boolean()),
  timings: z.object({ pdp: z.number(), mask: z.number() }),
});

export type Rule = z.infer<typeof rule>;

/** What the service answers to `POST /explain`, without the payload. */
export type Explanation = z.infer<typeof explanation>;

/** @throws Error if the value is no explanation */
export function readExplanation(value: unknown): Explanation {
  return explanation.parse(value);
}

/** What the reader can ask about, by JSON pointer into the payload. */
export interface Places {
  readonly changes: ReadonlyMap<string, Change>;
  readonly removedRecords: ReadonlyMap<string, RecordReason>;
}

export function placesOf({ changes, records }: Explanation): Places {
  const removed = records.filter(({ kept }) => !kept);
  return {
    changes: new Map(changes.map((one) => [one.pointer, one])),
    removedRecords: new Map(removed.map((one) => [one.pointer, one])),
  };
}
