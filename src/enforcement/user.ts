import {
  SUBJECT,
  identifierAt,
  namesOf,
  readTokenClaims,
  scalarTextAt,
  stringAt,
  valueOf,
  type JsonPart,
} from '../core/index.ts';
import type { Intent } from './intent.ts';
import type { HeaderFields } from './question.ts';

const UNKNOWN = 'unknown';

/**
 * The user of a request, for the log: `vendor.entityId`, else the `sub` of the forwarded JWT, which is read and not
 * verified, else `unknown` (enforcement §9).
 */
export function userOf({ vendor, headers }: Pick<Intent, 'vendor' | 'headers'>): string {
  return entityIdOf(vendor) ?? subjectOf(headers) ?? UNKNOWN;
}

function entityIdOf({ doc, node }: JsonPart): string | undefined {
  const name = Array.from(namesOf(doc, node)).findLast((one) => stringAt(doc, one) === 'entityId');
  return (name && scalarTextAt(doc, valueOf(name))) || undefined;
}

function subjectOf(headers: HeaderFields): string | undefined {
  const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const token = /^bearer +(\S+)$/iu.exec(authorization)?.[1];
  const claims = token === undefined ? undefined : readTokenClaims(token);
  const subject = claims && identifierAt(claims, SUBJECT);
  return typeof subject === 'object' ? subject.text : undefined;
}
