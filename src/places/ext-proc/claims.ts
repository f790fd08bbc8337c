import { scan, type JsonDocument } from '../../core/index.ts';
import { ServiceError } from '../../errors.ts';
import { authorizationIn, type Callers } from '../../identity/index.ts';
import type { RequestHead } from './admission.ts';
import type { StructValue } from './protocol/struct.ts';

/** The filter of Envoy that verifies tokens, and writes their claims into the metadata of the request. */
const JWT_FILTER = 'envoy.filters.http.jwt_authn';
/** What every entry of that filter has which holds claims, and none that holds the header of a token. */
const ISSUER = 'iss';
const MAX_DEPTH = 64;

type Members = Readonly<Record<string, StructValue>>;

/**
 * The claims of the caller: of the bearer token if this service verifies tokens and the request has one, else those that Envoy
 * verified.
 *
 * @throws ServiceError `token-refused` or `identity-unavailable` if no claims are verified
 */
export async function claimsOf(
  { fields, metadata }: RequestHead,
  callers: Callers | undefined,
): Promise<JsonDocument> {
  const verified = metadata.get(JWT_FILTER);
  const hasToken = authorizationIn(fields) !== 'absent';
  if (callers !== undefined && (hasToken || verified === undefined)) return callers.claims(fields);
  const claims = claimsIn(verified);
  if (claims === undefined) throw unknownCaller();
  const exact = Object.fromEntries(Object.entries(claims).filter(([, claim]) => isExact(claim)));
  return scan(Buffer.from(JSON.stringify(exact)), MAX_DEPTH);
}

/** Metadata holds numbers as doubles. A larger integer than these may be that of another caller in the token. */
function isExact(claim: StructValue): boolean {
  if (typeof claim === 'number') return Math.abs(claim) <= Number.MAX_SAFE_INTEGER;
  return typeof claim !== 'object' || claim === null || Object.values(claim).every(isExact);
}

/** An entry for each provider whose token was good. Of several, none is the caller's more than the others. */
function claimsIn(metadata: StructValue | undefined): Members | undefined {
  if (!isObject(metadata)) return undefined;
  const [claims, ...others] = Object.values(metadata)
    .filter(isObject)
    .filter((one) => ISSUER in one);
  return others.length > 0 ? undefined : claims;
}

function isObject(value: StructValue | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownCaller(): ServiceError {
  return new ServiceError('token-refused', 'The request has no verified token, which its route needs.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
