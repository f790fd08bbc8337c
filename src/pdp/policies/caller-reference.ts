import { parseClaimPath } from '../../core/index.ts';
import type { ConditionValue } from './policy.ts';

/** What a text refers to that names the caller's id or a claim, such as `${claims.region}`; undefined if it does not. */
export function callerReferenceIn(text: string): Exclude<ConditionValue, string> | undefined {
  const path = /^\$\{claims(?<path>.+)\}$/s.exec(text)?.groups?.['path'];
  const claim = path === undefined ? undefined : parseClaimPath(`$${path}`);
  if (claim !== undefined) return { claim };
  return text === '${entityId}' ? { caller: 'entityId' } : undefined;
}
