import { parseAction, type MaskKeys } from '../../core/index.ts';
import { ServiceError } from '../../errors.ts';
import { isObject, objectsIn, parseAnswer } from './json-answer.ts';
import { saysSomething } from './misspelt.ts';
import { notUnderstood, type JsonPointer } from './not-understood.ts';

type Members = Readonly<Record<string, unknown>>;

/** JSON, in a text. */
const JSON_TEXT = /^\s*[[{]/u;
const OF_RULES_TEXT = /"(?:rules|redact_fields)"\s*:/iu;
const ACTION_IN_TEXT = /"action"\s*:/u;
const OF_RULE_IN_TEXT = /"(?:properties|when)"\s*:/u;
/** What a rule has besides its action. */
const OF_RULE = ['properties', 'when', 'effect', 'object', 'assets', 'policy'];
const NO_KEYS: MaskKeys = new Map();
/** What the elements of a list of entries have besides their type. */
const OF_ENTRY = ['path', 'attributes', 'policies', 'accessPolicies'];
const OF_LEAF = ['attribute', 'operator', 'values'];
const OF_PARTS: ReadonlySet<string> = new Set([
  'redact_fields',
  'action',
  ...OF_RULE,
  'resourceType',
  'actions',
  ...OF_ENTRY,
  ...OF_LEAF,
]);

/**
 * Refuses rules of a rules document in a part of an answer that is not read, however deep and below whatever names: they
 * would be lost. They are recognized by what they have in them.
 *
 * @param value the part
 * @throws ServiceError `decision-not-understood`
 */
export function refuseRulesIn(value: unknown, place: JsonPointer): void {
  for (const { object, place: at } of objectsIn(value, place)) refuseRule(object, at);
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

/** Whether a rule, an entry or a leaf of a condition is recognized by a member of this name. */
export function isOfPart(name: string): boolean {
  return OF_PARTS.has(name);
}

function lostRules(place: JsonPointer): Error {
  return notUnderstood('rules in a part that is not read', place);
}

/** Whether an object is a leaf of a condition. */
export function isLeaf(part: Members): boolean {
  return OF_LEAF.every((name) => name in part);
}

/** Whether a text is a rules document, or a part of one. */
export function isRulesText(text: string): boolean {
  if (!JSON_TEXT.test(text)) return false;
  return OF_RULES_TEXT.test(text) || hasRule(text);
}

function hasRule(text: string): boolean {
  try {
    return objectsIn(parseAnswer(Buffer.from(text)), []).some(({ object }) => isRule(object));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return ACTION_IN_TEXT.test(text) && OF_RULE_IN_TEXT.test(text);
  }
}

/** A rule of a rules document, or the short form of one. Audit records may have the same names, and other actions. */
function isRule(part: Members): boolean {
  if (namesFields(part)) return true;
  return 'action' in part && OF_RULE.some((name) => name in part) && isOurs(part['action']);
}

function namesFields(part: Members): boolean {
  const fields = part['redact_fields'];
  return saysSomething(fields) || (typeof fields === 'string' && fields !== '');
}

/** Whether an action is one that a rules document may ask for. */
function isOurs(action: unknown): boolean {
  if (typeof action === 'string') return parseAction(action, NO_KEYS) !== undefined;
  return isObject(action) && 'name' in action && ('value' in action || isOurs(action['name']));
}

/**
 * An entry of a section. PDPs may repeat the resource of the question, which has some of its members.
 *
 * @param isElement whether it is an element of a list
 */
function isEntry(part: Members, isElement: boolean): boolean {
  if (!('resourceType' in part)) return false;
  const { actions } = part;
  if (Array.isArray(actions) && actions.some(saysSomething)) return true;
  return isElement && OF_ENTRY.some((name) => name in part);
}
