import { parseAction, type MaskKeys } from '../../core/index.ts';
import { isObject, objectsIn } from './json-answer.ts';
import { saysSomething } from './misspelt.ts';
import { notUnderstood, type JsonPointer } from './not-understood.ts';

type Members = Readonly<Record<string, unknown>>;

/** JSON, in a text. */
const JSON_TEXT = /^\s*[[{]/u;
const OF_RULES_TEXT = /"(?:rules|redact_fields)"\s*:/u;
const ACTION_IN_TEXT = /"action"\s*:/u;
const OF_RULE_IN_TEXT = /"(?:properties|when)"\s*:/u;
/** What a rule has besides its action. */
const OF_RULE = ['properties', 'when', 'effect', 'object', 'assets', 'policy'];
const NO_KEYS: MaskKeys = new Map();
/** What the elements of a list of entries have besides their type. */
const OF_ENTRY = ['path', 'attributes', 'policies', 'accessPolicies'];

/**
 * Refuses rules of a rules document in a part of an answer that is not read, however deep and below whatever names: they
 * would be lost. They are recognized by what they have in them.
 *
 * @param value the part
 * @throws ServiceError `decision-not-understood`
 */
export function refuseRulesIn(value: unknown, place: JsonPointer): void {
  for (const { object, place: at } of objectsIn(value, place)) if (isRule(object)) throw lostRules(at());
}

/**
 * Refuses what a decision is made of in a part of it that is not read, as {@link refuseRulesIn}: rules, entries and their conditions.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refusePartsIn(value: unknown, place: JsonPointer): void {
  for (const { object, step, place: at } of objectsIn(value, place)) {
    if (isRule(object) || isEntry(object, step)) throw lostRules(at());
    if (isLeaf(object)) throw notUnderstood('a condition in a part that is not read', at());
  }
}

function lostRules(place: JsonPointer): Error {
  return notUnderstood('rules in a part that is not read', place);
}

/** Whether an object is a leaf of a condition. */
export function isLeaf(part: Members): boolean {
  return 'attribute' in part && 'operator' in part && 'values' in part;
}

/** Whether a text is a rules document, or a part of one. */
export function isRulesText(text: string): boolean {
  if (!JSON_TEXT.test(text)) return false;
  return OF_RULES_TEXT.test(text) || (ACTION_IN_TEXT.test(text) && OF_RULE_IN_TEXT.test(text));
}

/** A rule of a rules document, or the short form of one. Audit records may have the same names, and other actions. */
function isRule(part: Members): boolean {
  if (saysSomething(part['redact_fields'])) return true;
  return 'action' in part && OF_RULE.some((name) => name in part) && isOurs(part['action']);
}

/** Whether an action is one that a rules document may ask for. */
function isOurs(action: unknown): boolean {
  if (typeof action === 'string') return parseAction(action, NO_KEYS) !== undefined;
  return isObject(action) && 'name' in action && 'value' in action;
}

/**
 * An entry of a section. PDPs may repeat the resource of the question, which has some of its members.
 *
 * @param step the index in a list, or a name
 */
function isEntry(part: Members, step: string | number | undefined): boolean {
  if (!('resourceType' in part)) return false;
  const { actions } = part;
  if (Array.isArray(actions) && actions.some(saysSomething)) return true;
  if (typeof step !== 'number') return false;
  return OF_ENTRY.some((name) => name in part);
}
