import type { IncomingMessage } from 'node:http';
import lodash from 'lodash';
import { endOf, namesOf, startOf, stringAt, type JsonPart } from '../../../core/index.ts';
import { namesUser, type Intent } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import { forwardedHeaders } from '../../listener/index.ts';
import type { RouteMatch, UntrustedFields } from '../../routes/index.ts';
import type { ForRequest, JsonObject, MaskResponsesOptions } from '../api.ts';
import type { InProcessEnforcer } from '../enforcer.ts';
import { invalidOption } from '../invalid-options.ts';
import { isObject } from '../is-object.ts';
import { jsonText } from '../payload.ts';

/** What the intent of a request is made of. */
interface Sources<Request> {
  readonly enforcer: InProcessEnforcer;
  readonly options: MaskResponsesOptions<Request>;
  readonly match: RouteMatch;
  /** The header fields that routes name and that are not trusted. */
  readonly untrustedHeaders: UntrustedFields;
}

/**
 * Who asks, and how the payload is enforced: what the options say of the request, and what its route says, which wins.
 *
 * @throws ServiceError if the request lacks what the route needs; what the functions of the options throw
 */
export async function intentOfRequest<Request extends IncomingMessage>(
  { enforcer, options, match, untrustedHeaders }: Sources<Request>,
  request: Request,
): Promise<Intent> {
  const headers = forwardedHeaders(request.rawHeaders).filter(([name]) => !untrustedHeaders.has(name));
  const claims = await claimsFor(enforcer, match, headers);
  const ofRoute = match.intent({ method: request.method ?? '', headers, claims });
  const [vendor, parameters] = await Promise.all([
    forRequest(options.vendor ?? {}, request),
    forRequest(options.parameters ?? {}, request),
  ]);
  const intent = enforcer.intents.read(
    vendorText(vendor, ofRoute.vendor),
    jsonText(parameters, '/parameters'),
  );
  return {
    vendor: intent.vendor,
    parameters: mergedParameters(intent.parameters, ofRoute.parameters),
    headers,
    claims: claims ?? (await subjectClaims(enforcer, intent.vendor, headers)),
  };
}

/** The claims of the token that has to say who the user is, because nothing else does. */
async function subjectClaims(
  { parts }: InProcessEnforcer,
  vendor: Intent['vendor'],
  headers: Intent['headers'],
): Promise<Intent['claims']> {
  return parts.asksSubject && !namesUser(vendor) ? parts.callers?.claims(headers) : undefined;
}

function claimsFor({ parts }: InProcessEnforcer, { route }: RouteMatch, headers: Intent['headers']) {
  if (!parts.requiresToken && !route.needsClaims) return undefined;
  if (parts.callers === undefined)
    throw new ServiceError('token-refused', 'No token can be verified: identity.jwt is not configured.');
  return parts.callers.claims(headers);
}

async function forRequest<Request>(
  value: ForRequest<Request, JsonObject>,
  request: Request,
): Promise<JsonObject> {
  return typeof value === 'function' ? value(request) : value;
}

/** The members of both, as JSON text; a member of the route replaces one of the same name. */
function vendorText(vendor: JsonObject, ofRoute: JsonPart): string {
  // An object may say itself what it is as JSON, as the documents of many databases do.
  const written: unknown =
    isObject(vendor) && typeof vendor['toJSON'] === 'function' ? vendor['toJSON']('') : vendor;
  if (!isObject(written)) throw invalidOption('/vendor', 'It has to be an object.');
  const { doc, node } = ofRoute;
  const names = new Set(Array.from(namesOf(doc, node), (name) => stringAt(doc, name)));
  const own = jsonText(
    Object.fromEntries(Object.entries(written).filter(([name]) => !names.has(name))),
    '/vendor',
  );
  if (names.size === 0) return own;
  const members = doc.bytes.toString('utf8', startOf(doc, node) + 1, endOf(doc, node) - 1);
  return own === '{}' ? `{${members}}` : `${own.slice(0, -1)},${members}}`;
}

/** `resolution` is what a route says that says nothing about the calculation. */
function mergedParameters(own: Intent['parameters'], ofRoute: Intent['parameters']): Intent['parameters'] {
  const { calculationType, ...others } = ofRoute;
  return {
    ...own,
    ...lodash.omitBy(others, (value) => value === undefined),
    calculationType: calculationType === 'context' ? calculationType : own.calculationType,
  };
}
