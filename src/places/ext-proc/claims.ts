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
  return scan(Buffer.from(JSON.stringify(claims)), MAX_DEPTH);
}

/** An entry for each provider whose token was good. Of several, none is the caller's more than the others. */
function claimsIn(metadata: StructValue | undefined): StructValue | undefined {
  if (!isObject(metadata)) return undefined;
  const [claims, ...others] = Object.values(metadata).filter((one) => isObject(one) && ISSUER in one);
  return others.length > 0 ? undefined : claims;
}

function isObject(value: StructValue | undefined): value is { readonly [name: string]: StructValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownCaller(): ServiceError {
  return new ServiceError('token-refused', 'The request has no verified token, which its route needs.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
