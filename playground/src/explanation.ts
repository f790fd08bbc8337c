import * as z from 'zod/mini';

/** A comparison with what it found in a record, or several conditions with what came of them together. */
export interface Condition {
  readonly holds: boolean;
  readonly AND?: readonly Condition[] | undefined;
  readonly OR?: readonly Condition[] | undefined;
  readonly attribute?: string | undefined;
  readonly operator?: string | undefined;
  readonly read?: 'present' | 'absent' | 'unreadable' | undefined;
}

const condition: z.ZodMiniType<Condition> = z.object({
  holds: z.boolean(),
  AND: z.optional(z.array(z.lazy(() => condition))),
  OR: z.optional(z.array(z.lazy(() => condition))),
  attribute: z.optional(z.string()),
  operator: z.optional(z.string()),
  read: z.optional(z.enum(['present', 'absent', 'unreadable'])),
});

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

const lost = z.object({
  rule: z.number(),
  because: z.enum(['priority', 'condition', 'dryRun']),
  condition: z.optional(condition),
});

const change = z.object({
  pointer: z.string(),
  effect: z.enum(['masked', 'set', 'created', 'removed', 'unchanged']),
  /** The rule that was applied, if any was. */
  rule: z.optional(z.number()),
  condition: z.optional(condition),
  lost: z.array(lost),
});

const record = z.object({
  pointer: z.string(),
  kept: z.boolean(),
  because: z.array(z.object({ rule: z.number(), holds: z.boolean(), condition: z.optional(condition) })),
});

const explanation = z.object({
  rules: z.array(rule),
  changes: z.array(change),
  records: z.array(record),
  truncated: z.optional(z.boolean()),
  timings: z.object({ pdp: z.number(), mask: z.number() }),
});

export type Rule = z.infer<typeof rule>;
export type Lost = z.infer<typeof lost>;
export type Change = z.infer<typeof change>;
export type RecordReason = z.infer<typeof record>;

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
