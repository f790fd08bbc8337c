import * as z from 'zod';

/** What the PDP is told to answer. */
export const told = z.object({
  decision: z.string(),
  /** Whether each answer is one that was never given before. */
  isNew: z.boolean(),
});
export type Told = z.output<typeof told>;
