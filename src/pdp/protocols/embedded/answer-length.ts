import { PdpRefusal } from './refusal.ts';

/** The longest answer, in characters of JSON. */
const MAX_ANSWER = 64 * 1024 * 1024;

/**
 * Refuses an answer before it is written: it may repeat much of what a short question says.
 *
 * @throws PdpRefusal 400
 */
export function requireAnswerFits(length: number): void {
  if (length > MAX_ANSWER)
    throw new PdpRefusal(
      400,
      `The answer would have more than ${MAX_ANSWER} characters. Ask for less at once.`,
    );
}
