import {
  DuplicateNameError,
  JsonDepthError,
  JsonSyntaxError,
  TOP,
  parseAction,
  scan,
  strictValueAt,
  type JsonValue,
  type MaskKeys,
} from '../../core/index.ts';
import { DEEPEST_DECISION } from './deepest.ts';
import { isObject, objectsIn } from './json-answer.ts';
import { saysSomething } from './misspelt.ts';

/** The members of an object of an answer. */
export type Members = Readonly<Record<string, unknown>>;

/** JSON, in a text. */
const JSON_TEXT = /^\s*[[{]/u;
const OF_RULES_TEXT = /"(?:rules|redact_fields)"\s*:/iu;
const ACTION_IN_TEXT = /"action"\s*:/u;
const OF_RULE_IN_TEXT = /"(?:properties|when)"\s*:/u;
const ESCAPED_IN_TEXT = /\\u/u;
/** What there is instead of a value. */
const NOT_READ = [DuplicateNameError, JsonDepthError, JsonSyntaxError];
/** What a rule has besides its action. */
const OF_RULE = ['properties', 'when', 'effect', 'object', 'assets', 'policy'];
const ANY_OF_RULE_IN_TEXT = new RegExp(`"(?:${OF_RULE.join('|')})"\\s*:`, 'u');
const NO_KEYS: MaskKeys = new Map();
/** What the elements of a list of entries have besides their type. */
const OF_ENTRY = ['path', 'attributes', 'policies', 'accessPolicies'];
const OF_LEAF = ['attribute', 'operator'];
/** What leaves compare with; other policies compare with one value. */
const VALUES = ['values', 'value'];
const OF_PARTS: ReadonlySet<string> = new Set([
  'redact_fields',
  'replace',
  'action',
  ...OF_RULE,
  'resourceType',
  'actions',
  ...OF_ENTRY,
  ...OF_LEAF,
  ...VALUES,
]);

/** Whether a rule, an entry or a leaf of a condition is recognized by a member of this name. */
export function isOfPart(name: string): boolean {
  return OF_PARTS.has(name);
}

/** Whether an object is a leaf of a condition. */
export function isLeaf(part: Members): boolean {
  return OF_LEAF.every((name) => says(part, name)) && VALUES.some((name) => says(part, name));
}

/** Whether a value is a text with an object or a list in it. */
export function isJsonText(value: unknown): boolean {
  return typeof value === 'string' && JSON_TEXT.test(value);
}

/** Whether a text is a rules document, or a part of one. */
export function isRulesText(text: string): boolean {
  return mayBeRulesText(text) && (OF_RULES_TEXT.test(text) || hasRule(text));
}

/** Whether a text has the names of rules, or names that are escaped. To read a text takes far longer. */
export function mayBeRulesText(text: string): boolean {
  if (!isJsonText(text)) return false;
  if (OF_RULES_TEXT.test(text) || ESCAPED_IN_TEXT.test(text)) return true;
  return ACTION_IN_TEXT.test(text) && ANY_OF_RULE_IN_TEXT.test(text);
}

function hasRule(text: string): boolean {
  const value = valueIn(text);
  if (value === undefined) return ACTION_IN_TEXT.test(text) && OF_RULE_IN_TEXT.test(text);
  return objectsIn(value, []).some(({ object }) => isRule(object));
}

/** The value of a text; undefined if it is not JSON. */
function valueIn(text: string): JsonValue | undefined {
  try {
    return strictValueAt(scan(Buffer.from(text), DEEPEST_DECISION), TOP);
  } catch (error) {
    if (NOT_READ.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** A rule of a rules document, or the short form of one. Audit records may have the same names, and other actions. */
export function isRule(part: Members): boolean {
  if (namesFields(part) || isReplacement(part)) return true;
  return OF_RULE.some((name) => says(part, name)) && isOurs(part['action']);
}

/** Whether a part is a mask as OPA's compile API writes it. */
function isReplacement({ replace }: Members): boolean {
  return isObject(replace) && 'value' in replace;
}

/** Whether a part has fields to redact, as the short form of a rule does. */
export function namesFields(part: Members): boolean {
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
export function isEntry(part: Members, isElement: boolean): boolean {
  if (!says(part, 'resourceType')) return false;
  const { actions } = part;
  if (Array.isArray(actions) && actions.some(saysSomething)) return true;
  return isElement && OF_ENTRY.some((name) => says(part, name));
}

/** Whether a part has a member. Null counts as absent, as where it is read. */
export function says(part: Members, name: string): boolean {
  return part[name] !== undefined && part[name] !== null;
}
