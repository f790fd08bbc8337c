import _ from 'lodash';
import { claimValues, decimalKeyOf, type ClaimPath, type JsonDocument } from '../../../core/index.ts';

/** What a token says at one path. */
export interface KnownClaim {
  /** Every value, in the order of the token. */
  readonly texts: readonly string[];
  /** Whether one of the values is that of a policy. Numbers are the same however they are written: `1`, `1.0` and `1e0`. */
  readonly isAmong: (listed: readonly string[]) => boolean;
}

/** By token, and by path as text. */
const known = new WeakMap<JsonDocument, Map<string, KnownClaim | undefined>>();

/**
 * What a token says at a path. It is read once, however many policies ask for it: a token may list thousands of groups.
 *
 * @returns undefined if it cannot be compared with text
 */
export function knownClaim(claims: JsonDocument, path: ClaimPath): KnownClaim | undefined {
  const read = known.get(claims) ?? new Map<string, KnownClaim | undefined>();
  known.set(claims, read);
  const key = JSON.stringify(path);
  if (!read.has(key)) read.set(key, readClaim(claims, path));
  return read.get(key);
}

function readClaim(claims: JsonDocument, path: ClaimPath): KnownClaim | undefined {
  const values = claimValues(claims, path);
  if (values === undefined) return undefined;
  const texts = values.map(({ text }) => text);
  const spelt = new Set(texts);
  const numbers = new Set(_.compact(values.map(({ text, isNumber }) => isNumber && decimalKeyOf(text))));
  const isNumber = (listed: string): boolean => {
    const key = numbers.size === 0 ? undefined : decimalKeyOf(listed);
    return key !== undefined && numbers.has(key);
  };
  return { texts, isAmong: (listed) => listed.some((one) => spelt.has(one) || isNumber(one)) };
}
