import {
  claimValues,
  compareDecimals,
  parseDecimal,
  type ClaimValue,
  type JsonDocument,
} from '../../../core/index.ts';
import type { ClaimTest } from './policy.ts';
import type { Truth } from './truth.ts';

/** A number as JSON writes it. `007` is text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/**
 * Whether a claim has one of the listed values.
 *
 * @returns what would have to be known, if there is no token or the claim cannot be compared with text
 */
export function claimFits({ claim, values }: ClaimTest, claims: JsonDocument | undefined): Truth {
  if (claims === undefined) return 'bearer token';
  const found = claimValues(claims, claim);
  if (found === undefined) return 'claim';
  return found.some((value) => values.some((listed) => isSame(value, listed)));
}

/** Numbers are the same if they are equal, however they are written: `1`, `1.0` and `1e0`. */
function isSame({ text, isNumber }: ClaimValue, listed: string): boolean {
  return text === listed || (isNumber && NUMBER.test(listed) && isEqual(text, listed));
}

function isEqual(text: string, listed: string): boolean {
  const [one, other] = [parseDecimal(text), parseDecimal(listed)];
  return one !== undefined && other !== undefined && compareDecimals(one, other) === 0;
}
