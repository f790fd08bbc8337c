import { decodeJwt } from 'jose';
import { namesOf, valueOf, type Located, type Node } from '../core/json/located.ts';
import { scalarTextAt, stringAt } from '../core/json/text.ts';
import type { HeaderFields } from './question.ts';

const UNKNOWN = 'unknown';

/**
 * Who the decision is for, as the log names them: `vendor.entityId`, else the `sub` of the forwarded JWT, which is read
 * and not verified, else `unknown` (enforcement §9).
 */
export function userOf(doc: Located, vendor: Node, headers: HeaderFields): string {
  return entityIdOf(doc, vendor) ?? subjectOf(headers) ?? UNKNOWN;
}

function entityIdOf(doc: Located, vendor: Node): string | undefined {
  const name = Array.from(namesOf(doc, vendor)).findLast((one) => stringAt(doc, one) === 'entityId');
  return (name && scalarTextAt(doc, valueOf(name))) || undefined;
}

function subjectOf(headers: HeaderFields): string | undefined {
  const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const token = /^bearer +(\S+)$/iu.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  try {
    return decodeJwt(token).sub;
  } catch {
    return undefined;
  }
}
