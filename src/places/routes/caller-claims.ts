import _ from 'lodash';
import { isString, Kind, kindOf } from '../../core/index.ts';
import { claimNodes, claimRefused, type ClaimVariable, type RequestFacts } from './template.ts';
import { parseTemplate } from './variables.ts';

/** A claim that says who asks. */
export interface CallerClaim {
  readonly variable: ClaimVariable;
  /** Whether a number says that, too, as its text. */
  readonly takesNumbers: boolean;
}

/** The members of `vendor` that say who asks: each is text. */
const NAMES = ['clientId', 'clientID', 'entityId', 'entityTypeId'];
/** The same where the PDP is asked about a subject. */
const OF_SUBJECT = ['subject.type', 'subject.id'];

/** The user of a token (RFC 7519 §4.1.2). */
const USER = '${claims.sub}';

/**
 * The claims that say who asks in a route.
 *
 * @param vendor as it is configured
 * @param asksSubject whether the PDP is asked about a subject, whose id is made of what `entityId` has
 */
export function callerClaims(
  vendor: Readonly<Record<string, unknown>>,
  asksSubject: boolean,
): readonly CallerClaim[] {
  const names = asksSubject ? [...NAMES, ...OF_SUBJECT] : NAMES;
  return names.flatMap((name) => claimAlone(_.get(vendor, name), asksSubject));
}

/** The claim that says who asks if a route names nobody. */
export const userClaims: readonly CallerClaim[] = claimAlone(USER, false);

function claimAlone(value: unknown, takesNumbers: boolean): readonly CallerClaim[] {
  const [variable, ...others] = typeof value === 'string' ? (parseTemplate(value) ?? []) : [];
  if (variable === undefined || typeof variable === 'string' || others.length > 0) return [];
  return variable.kind === 'claim' ? [{ variable, takesNumbers }] : [];
}

/** @throws ServiceError `token-refused` if a token does not say who asks */
export function mustNameCaller(wanted: readonly CallerClaim[], { claims }: RequestFacts): void {
  for (const { variable, takesNumbers } of wanted) {
    const [node] = claimNodes(variable, claims);
    if (claims === undefined || node === undefined) throw claimRefused(variable, 'missing');
    const kind = kindOf(claims, node);
    const isText = isString(kind) || (takesNumbers && kind === Kind.number);
    if (!isText || variable.isList) throw claimRefused(variable, 'not text');
  }
}
