import { free, type JsonDocument } from '../core/index.ts';
import type { Ports } from './ports.ts';

/**
 * Which part of what is found in a payload counts as in progress. Most payloads are longer than that, and then their length counts:
 * each has its bytes, what is found and an answer in memory. In some, such as `[[[[`, many times as much is found.
 */
const COUNTED = 1 / 2;
/** What an asset identifier takes at most besides its own bytes, in the question and until it is asked, in bytes, about. */
const BYTES_PER_ASSET = 96;
/** Less is not reserved, in bytes: `maxInFlight` bounds how many requests take so little. */
const LEAST = 64 * 1024;

/**
 * Reserves room for what was found in a payload, to be called before anything else has its turn. If there is too little, that is
 * freed at once: V8 would do so late.
 *
 * @param assets how many asset identifiers were found
 * @throws what `room.reserve` throws
 */
export function reserveFor({ tape }: JsonDocument, room: Ports['room'], assets = 0): void {
  const counted = (tape.byteLength + assets * BYTES_PER_ASSET) * COUNTED;
  if (counted < LEAST) return;
  try {
    room.reserve(counted);
  } catch (error) {
    free(tape);
    throw error;
  }
}
