import {
  Kind,
  TOP,
  elementsOf,
  isString,
  kindOf,
  namesOf,
  rawAt,
  stringAt,
  valueOf,
  type JsonDocument,
  type Node,
} from '../core/index.ts';
import { TokenRefused } from './refused.ts';

/** What the claims of a token must be (RFC 7519 §4.1). */
export interface ExpectedClaims {
  /** The `iss`. */
  readonly issuer: string;
  /** One of the `aud`. */
  readonly audience: string;
  /** Whether a token without `exp` is refused. */
  readonly requireExpiration: boolean;
  /** By how much the clock of the issuer may differ, in seconds. */
  readonly clockTolerance: number;
}

/**
 * Checks `iss`, `aud`, `nbf` and `exp`.
 *
 * @param now in seconds since 1970
 * @throws TokenRefused for the first claim that is missing, wrong or not of its type
 */
export function checkClaims(claims: JsonDocument, expected: ExpectedClaims, now: number): void {
  const { issuer, audience, requireExpiration, clockTolerance } = expected;
  if (textAt(claims, memberOf(claims, 'iss')) !== issuer) throw notAccepted('iss');
  if (!audiencesOf(claims).includes(audience)) throw notAccepted('aud');
  const notBefore = timeOf(claims, 'nbf');
  if (notBefore !== undefined && notBefore > now + clockTolerance) throw notAccepted('nbf');
  const expires = timeOf(claims, 'exp');
  if (expires === undefined && requireExpiration) throw notAccepted('exp');
  if (expires !== undefined && expires <= now - clockTolerance)
    throw new TokenRefused('The token has expired.');
}

function notAccepted(claim: string): TokenRefused {
  return new TokenRefused(`The claim \`${claim}\` of the token is not accepted.`);
}

function memberOf(claims: JsonDocument, member: string): Node | undefined {
  const name = Array.from(namesOf(claims, TOP)).find((one) => stringAt(claims, one) === member);
  return name === undefined ? undefined : valueOf(name);
}

function textAt(claims: JsonDocument, node: Node | undefined): string | undefined {
  return node !== undefined && isString(kindOf(claims, node)) ? stringAt(claims, node) : undefined;
}

/** One text, or a list of texts; a list with anything else is not understood. */
function audiencesOf(claims: JsonDocument): readonly string[] {
  const node = memberOf(claims, 'aud');
  if (node === undefined) return [];
  const nodes = kindOf(claims, node) === Kind.array ? Array.from(elementsOf(claims, node)) : [node];
  const texts = nodes.map((one) => textAt(claims, one));
  return texts.every((text) => text !== undefined) ? texts : [];
}

function timeOf(claims: JsonDocument, claim: 'nbf' | 'exp'): number | undefined {
  const node = memberOf(claims, claim);
  if (node === undefined) return undefined;
  const time = kindOf(claims, node) === Kind.number ? Number(rawAt(claims, node)) : Number.NaN;
  if (!Number.isFinite(time)) throw notAccepted(claim);
  return time;
}
