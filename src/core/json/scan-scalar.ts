import { Kind } from './located.ts';
import { JsonSyntaxError } from './syntax-error.ts';

/**
 * Scans a text that is one string, number, boolean or null: so short a tape that `JSON.parse` may judge it.
 *
 * @param first where the value begins
 * @param last its last byte
 * @returns its tape
 * @throws JsonSyntaxError
 */
export function scanScalar(bytes: Buffer, first: number, last: number): Int32Array {
  const text = bytes.toString('utf8', first, last + 1);
  return Int32Array.of((first << 3) | kindOfScalar(text, first));
}

function kindOfScalar(text: string, first: number): Kind {
  const value = parsed(text, first);
  if (typeof value === 'string') return text.includes('\\') ? Kind.escapedString : Kind.plainString;
  if (typeof value === 'number') return Kind.number;
  if (typeof value === 'boolean') return value ? Kind.true : Kind.false;
  return Kind.null;
}

function parsed(text: string, first: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonSyntaxError('unexpected character', first);
  }
}
