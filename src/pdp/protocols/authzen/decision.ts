import { type JsonObject, notUnderstood, type JsonPointer } from '../../decisions/index.ts';

/** @throws ServiceError `decision-not-understood` if the decision is no boolean */
export function decisionIn({ decision }: JsonObject, place: JsonPointer): boolean {
  if (typeof decision === 'boolean') return decision;
  throw notUnderstood('no boolean', [...place, 'decision']);
}
