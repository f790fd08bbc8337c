import { TOP, namesOf, stringAt, type JsonDocument } from '../core/index.ts';

const BACKSLASH = 0x5c;

/** `crit` and `b64` change what is signed (RFC 7515 §4.1.11, RFC 7797). Access tokens do not use them. */
const REFUSED: ReadonlySet<string> = new Set(['crit', 'b64']);

/**
 * Whether `JSON.parse` reads the header of a token as the project's own scanner does, and without an effect on later
 * texts. Only names with escapes can do harm (nodejs/node#63785), so a header must not have any escape.
 */
export function readsWithoutHarm(header: JsonDocument): boolean {
  if (header.bytes.includes(BACKSLASH)) return false;
  return Array.from(namesOf(header, TOP)).every((name) => !REFUSED.has(stringAt(header, name)));
}
