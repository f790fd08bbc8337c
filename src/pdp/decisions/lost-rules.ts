import { objectsIn } from './json-answer.ts';
import { saysSomething } from './misspelt.ts';
import { notUnderstood, type JsonPointer } from './not-understood.ts';

type Members = Readonly<Record<string, unknown>>;

/** Names like that of a condition, by their letters. `asset-attributes` alone may be something else. */
const LIKE_CONDITION = /^asset[a-z]*filters?$|attributes?filter|^assetattributes?[a-rt-z]/u;
/** JSON, in a text. */
const JSON_TEXT = /^\s*[[{]/u;
const OF_RULES_TEXT = /"(?:rules|redact_fields)"\s*:/u;
const ACTION_IN_TEXT = /"action"\s*:/u;
const OF_RULE_IN_TEXT = /"(?:properties|when)"\s*:/u;
/** What the elements of a list of entries have besides their type. */
const OF_ENTRY = ['path', 'policies', 'accessPolicies'];

/** Whether a name is like that of a condition. Without its condition, an action would be about more than it should. */
export function isLikeCondition(name: string): boolean {
  return LIKE_CONDITION.test(name.toLowerCase().replace(/[^a-z]/gu, ''));
}

/**
 * Refuses rules and conditions in a part of an answer that is not read, however deep and below whatever names: they would
 * be lost. They are recognized by what they have in them.
 *
 * @param value the part
 * @throws ServiceError `decision-not-understood`
 */
export function refuseRulesIn(value: unknown, place: JsonPointer): void {
  for (const { object, step, place: at } of objectsIn(value, place)) {
    if (isRule(object) || isEntry(object, step))
      throw notUnderstood('rules in a part that is not read', at());
    const condition = Object.keys(object).find(
      (name) => isLikeCondition(name) && saysSomething(object[name]),
    );
    if (condition !== undefined)
      throw notUnderstood('a condition in a part that is not read', [...at(), condition]);
  }
}

/** Refuses conditions in a member of an entry or an action that is not read, as {@link refuseRulesIn}. */
export function refuseConditionsIn(value: unknown, place: JsonPointer): void {
  for (const { object, place: at } of objectsIn(value, place))
    if (isCondition(object)) throw notUnderstood('a condition in a part that is not read', at());
}

/** Whether an object has a condition in it, or is one. */
function isCondition(part: Members): boolean {
  if ('attribute' in part && 'operator' in part) return true;
  return Object.keys(part).some(isLikeCondition);
}

/** Whether a text is a rules document, or a part of one. */
export function isRulesText(text: string): boolean {
  if (!JSON_TEXT.test(text)) return false;
  return OF_RULES_TEXT.test(text) || (ACTION_IN_TEXT.test(text) && OF_RULE_IN_TEXT.test(text));
}

/** A rule of a rules document, or the short form of one. */
function isRule(part: Members): boolean {
  const { properties, when } = part;
  if (saysSomething(part['redact_fields'])) return true;
  return (
    'action' in part && (Array.isArray(properties) || typeof properties === 'string' || saysSomething(when))
  );
}

/**
 * An entry of a section. PDPs may repeat the asset type of the question, so the type alone is one only in a list.
 *
 * @param step the index in a list, or a name
 */
function isEntry(part: Members, step: string | number | undefined): boolean {
  if (!('resourceType' in part)) return false;
  const { actions, attributes } = part;
  if (saysSomething(attributes) || (Array.isArray(actions) && actions.some(saysSomething))) return true;
  return (
    typeof step === 'number' && (Object.keys(part).length === 1 || OF_ENTRY.some((name) => name in part))
  );
}
