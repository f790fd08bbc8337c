import type { JsonObject } from '../json-answer.ts';
import { notUnderstood, type Place } from '../resolution/error.ts';

/** @throws ServiceError `decision-not-understood` if the decision is no boolean */
export function decisionIn({ decision }: JsonObject, place: Place): boolean {
  if (typeof decision === 'boolean') return decision;
  throw notUnderstood('no boolean', [...place, 'decision']);
}
