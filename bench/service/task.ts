import * as z from 'zod';
import { payloadSource } from './request.ts';

/** What the load generator is told to do. */
export const loadTask = z.object({
  port: z.number(),
  source: payloadSource,
  /** The size of the payload. */
  bytes: z.number(),
  /** How many callers there are; each asks again as soon as it is answered. */
  concurrency: z.number(),
  /** How long answers count, once every caller has been answered. */
  milliseconds: z.number(),
  /** How long an answer has to be, in bytes. */
  expected: z.number(),
});
export type LoadTask = z.output<typeof loadTask>;

/** Percentiles of latencies, in milliseconds. */
export const latencies = z.object({ p50: z.number(), p90: z.number(), p99: z.number() });
export type Latencies = z.output<typeof latencies>;

/** What came of it. */
export const load = latencies.extend({ requestsPerSecond: z.number() });
export type Load = z.output<typeof load>;
