import { compactVerify, errors, type CryptoKey, type JWTVerifyGetKey, type VerifyOptions } from 'jose';
import {
  bufferOf,
  readTokenHeader,
  readTokenObject,
  TOP,
  namesOf,
  stringAt,
  type JsonDocument,
} from '../core/index.ts';
import { ALGORITHMS } from './algorithms.ts';
import { checkClaims, type ExpectedClaims } from './check-claims.ts';
import { TokenRefused } from './refused.ts';
import { IdentityUnavailable } from './unavailable.ts';

/** Which tokens are accepted. */
export interface TokenTrust extends ExpectedClaims {
  /** Finds the key that signed a token. */
  readonly jwks: JWTVerifyGetKey;
  /**
   * Looks for other keys, as none of those known fits the signature: providers may replace a key and keep its id.
   *
   * @returns whether there are some
   */
  readonly renew?: (() => Promise<boolean>) | undefined;
  /** The algorithms that may have signed it; all that use a public key unless given. */
  readonly algorithms?: readonly string[] | undefined;
}

/**
 * Verifies a token: its signature, `exp`, `nbf`, `iss` and `aud`.
 *
 * No JSON of the token reaches `JSON.parse` (nodejs/node#63785), except for a header that is found harmless before: jose
 * parses it. The claims are read by the project's own scanner, so numbers stay exact.
 *
 * @returns the claims
 * @throws TokenRefused with a sentence that says what is wrong and quotes nothing of the token
 * @throws IdentityUnavailable if `jwks` cannot say which keys there are
 */
export async function verifyToken(token: string, trust: TokenTrust): Promise<JsonDocument> {
  const header = readTokenHeader(token);
  if (header === undefined || !readsWithoutHarm(header)) throw new TokenRefused('The token is not valid.');
  const claims = readTokenObject(await verifiedPayload(token, trust));
  if (claims === undefined) throw new TokenRefused('The token is not valid.');
  checkClaims(claims, trust, Date.now() / 1000);
  return claims;
}

async function verifiedPayload(token: string, trust: TokenTrust): Promise<Buffer> {
  try {
    return await payloadOf(token, trust).catch(async (error: unknown) => {
      const mayBeReplaced = error instanceof errors.JWSSignatureVerificationFailed;
      if (!(mayBeReplaced && (await trust.renew?.()))) throw error;
      return payloadOf(token, trust);
    });
  } catch (error) {
    if (error instanceof IdentityUnavailable) throw error;
    throw new TokenRefused(whatIsWrong(error));
  }
}

/** Tries all keys that fit a token. Keys need no id (RFC 7517 §4.5). */
async function payloadOf(token: string, { jwks, algorithms = ALGORITHMS }: TokenTrust): Promise<Buffer> {
  const options = { algorithms: [...algorithms] };
  try {
    const { payload } = await compactVerify(token, jwks, options);
    return bufferOf(payload);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    return payloadByOneOf(token, error, options);
  }
}

/** How many keys are tried on one token. */
const MOST_KEYS = 20;

async function payloadByOneOf(
  token: string,
  keys: AsyncIterable<CryptoKey>,
  options: VerifyOptions,
): Promise<Buffer> {
  let tried = 0;
  for await (const key of keys) {
    if (++tried > MOST_KEYS) throw new TooManyKeys();
    // Of a key that is too short for the algorithm, the error is another one.
    const verified = await compactVerify(token, key, options).catch(() => undefined);
    if (verified !== undefined) return bufferOf(verified.payload);
  }
  throw new errors.JWSSignatureVerificationFailed();
}

class TooManyKeys extends Error {}

function whatIsWrong(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'The signature of the token is not right.';
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token is signed with a key that is not known.';
  if (error instanceof TooManyKeys)
    return 'Too many known keys fit the token, so nothing says which one signed it.';
  return 'The token is not valid.';
}

const BACKSLASH = 0x5c;

/** `crit` and `b64` change what is signed (RFC 7515 §4.1.11, RFC 7797). Access tokens do not use them. */
const REFUSED: ReadonlySet<string> = new Set(['crit', 'b64']);

/**
 * Whether `JSON.parse` reads the header of a token as the project's own scanner does, and without an effect on later
 * texts. Only names with escapes can do harm (nodejs/node#63785), so a header must not have any escape.
 */
function readsWithoutHarm(header: JsonDocument): boolean {
  if (header.bytes.includes(BACKSLASH)) return false;
  return Array.from(namesOf(header, TOP)).every((name) => !REFUSED.has(stringAt(header, name)));
}
