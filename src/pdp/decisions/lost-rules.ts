import { objectsIn } from './json-answer.ts';
import { notUnderstood, type JsonPointer } from './not-understood.ts';
import {
  isEntry,
  isLeaf,
  isRule,
  isRulesText,
  mayBeRulesText,
  namesFields,
  says,
  type Members,
} from './recognized-parts.ts';

/** How many texts of one part are read. PDPs have few that look like rules, and those that are none take the longest. */
const MAX_TEXTS = 1000;

/**
 * Refuses rules of a rules document in a part of an answer that is not read, however deep and below whatever names: they
 * would be lost. They are recognized by what they have in them, in texts, too.
 *
 * @param value the part
 * @throws ServiceError `decision-not-understood`
 */
export function refuseRulesIn(value: unknown, place: JsonPointer): void {
  let texts = 0;
  for (const { object, place: at } of objectsIn(value, place)) {
    refuseRule(object, at);
    for (const [name, member] of Object.entries(object)) {
      if (typeof member !== 'string' || !mayBeRulesText(member)) continue;
      if (++texts > MAX_TEXTS || isRulesText(member)) throw lostRules([...at(), name]);
    }
  }
}

/**
 * Refuses an object that has the members of a rule of a rules document, and is read as something else.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refuseRule(part: Members, place: () => JsonPointer): void {
  if (isRule(part)) throw lostRules(place());
}

/**
 * Refuses what has fields to redact, as the short form of a rule does, and is read as something else.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refuseFields(part: Members, place: JsonPointer): void {
  if (namesFields(part)) throw lostRules(place);
}

/**
 * Refuses an action of an entry that names properties itself, as a rule does: those of the entry count.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refuseProperties(action: Members, place: JsonPointer): void {
  const { properties } = action;
  if (namesFields(action) || properties === 'all' || (Array.isArray(properties) && properties.length > 0))
    throw lostRules(place);
}

/**
 * Refuses an entry that is read as an action or a policy. Those may repeat what else an entry has.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refuseEntry(part: Members, place: JsonPointer): void {
  if (isEntry(part, says(part, 'attributes'))) throw lostRules(place);
}

/**
 * Refuses what a decision is made of in a part of it that is not read, as {@link refuseRulesIn}: rules, entries and their conditions.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refusePartsIn(value: unknown, place: JsonPointer): void {
  for (const { object, step, place: at } of objectsIn(value, place))
    refusePart(object, typeof step === 'number', at);
}

/**
 * Refuses an object that is itself what {@link refusePartsIn} looks for.
 *
 * @param part its members, or those of them that {@link isOfPart} knows
 * @param isElement whether it is an element of a list
 * @throws ServiceError `decision-not-understood`
 */
export function refusePart(part: Members, isElement: boolean, place: () => JsonPointer): void {
  refuseRule(part, place);
  if (isEntry(part, isElement)) throw lostRules(place());
  if (isLeaf(part)) throw notUnderstood('a condition in a part that is not read', place());
}

function lostRules(place: JsonPointer): Error {
  return notUnderstood('rules in a part that is not read', place);
}
