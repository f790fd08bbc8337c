import type { Configuration } from './schema.ts';

/** The unit of sizes in the configuration. */
export const BYTES_PER_MB = 1024 * 1024;

/** The default of `maxAnswer`, by `maxBody`. */
const ANSWER_BY_BODY = 4;

/** How large payloads may be, and what is left of them, in bytes. */
export function payloadLimits({ maxBody, maxAnswer }: Pick<Configuration, 'maxBody' | 'maxAnswer'>): {
  readonly payload: number;
  readonly answer: number;
} {
  return { payload: maxBody * BYTES_PER_MB, answer: (maxAnswer ?? ANSWER_BY_BODY * maxBody) * BYTES_PER_MB };
}
