import { isString, kindOf, scalarTextAt } from '../../core/index.ts';
import { claimNodes, claimRefused, type ClaimVariable, type RequestFacts } from './template.ts';
import { parseTemplate } from './variables.ts';

/** A claim that says who asks. */
export interface CallerClaim {
  readonly variable: ClaimVariable;
  /** Whether a number or a boolean says that, too, as its text. */
  readonly takesScalars: boolean;
}

/** The members of `vendor` that say who asks: each is text. */
const NAMES = ['clientId', 'clientID', 'entityId', 'entityTypeId'] as const;

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
  return NAMES.flatMap((name) => claimAlone(vendor[name], asksSubject));
}

/** The claim that says who asks if a route names nobody. */
export const userClaims: readonly CallerClaim[] = claimAlone(USER, false);

function claimAlone(value: unknown, takesScalars: boolean): readonly CallerClaim[] {
  const [variable, ...others] = typeof value === 'string' ? (parseTemplate(value) ?? []) : [];
  if (variable === undefined || typeof variable === 'string' || others.length > 0) return [];
  return variable.kind === 'claim' ? [{ variable, takesScalars }] : [];
}

/** @throws ServiceError `token-refused` if a token does not say who asks */
export function mustNameCaller(wanted: readonly CallerClaim[], { claims }: RequestFacts): void {
  for (const { variable, takesScalars } of wanted) {
    const [node] = claimNodes(variable, claims);
    if (claims === undefined || node === undefined) throw claimRefused(variable, 'missing');
    const isText = takesScalars ? scalarTextAt(claims, node) !== undefined : isString(kindOf(claims, node));
    if (!isText || variable.isList) throw claimRefused(variable, 'not text');
  }
}
