import { nearest } from '../../../nearest.ts';
import { lettersOf } from '../letters.ts';
import { refusePartsIn } from '../lost-rules.ts';
import { saysSomething } from '../misspelt.ts';
import { isJsonText, isLeaf } from '../recognized-parts.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import type { Members } from './parts.ts';

/** Names like that of a condition, by their letters. `asset-attributes` alone may be something else. */
const LIKE_CONDITION = /^asset[a-z]*filters?$|attributes?filter|^assetattributes?[a-rt-z]/u;
const STRAY = 'a condition that is not asset-attributes-filter of an action';

/** Parts that an entry or an action may lack, with how many edits a name may be away from theirs. */
const PARTS = new Map([
  ['attributes', 2],
  ['actions', 2],
  ['value', 1],
] as const);
type PartName = typeof PARTS extends Map<infer Name, unknown> ? Name : never;

/** Of how many names of one entry it is asked whether they are misspelt. More of them are refused. */
const MAX_NAMES = 1000;

/** Whether a name is like that of a condition. Without its condition, an action would be about more than it should. */
export function isLikeCondition(name: string): boolean {
  return LIKE_CONDITION.test(lettersOf(name));
}

/**
 * Whether a name is nearly that of the attributes or the actions of an entry, or of the value of an action. Without the attributes, the
 * path would be taken for the property; without the others, a mask would lose its priority, or become another one.
 */
export function isLikePart(name: string): boolean {
  return [...PARTS.keys()].some((part) => isLike(name, part));
}

function isLike(name: string, part: PartName): boolean {
  return name !== part && nearest(name, [part], PARTS.get(part)) !== undefined;
}

/**
 * Refuses a part whose name is misspelt.
 *
 * @param part the name of one that is missing
 * @param names of the members of the entry or action that lacks it
 * @param place of the entry or action
 * @throws ServiceError `decision-not-understood`
 */
export function refuseMisspeltPart(part: PartName, names: readonly string[], place: JsonPointer): void {
  if (names.length > MAX_NAMES) throw notUnderstood(`more than ${MAX_NAMES} members of an entry`, place);
  const misspelt = names.find((name) => isLike(name, part));
  if (misspelt !== undefined) throw notUnderstood(`a name that is nearly ${part}`, [...place, misspelt]);
}

/** Whether a name of an attribute is nearly one of those that name properties and prefixes, and that the entry lacks. */
export function isLikeMissing(name: string, missing: readonly string[]): boolean {
  // A PDP may have attributes of its own, such as a title next to tables.
  return missing.length > 0 && nearest(name, missing, 1) !== undefined;
}

/** Whether a name of an attribute is a known one, but for the case of its letters. */
export function isInOtherLetters(name: string, known: string | undefined): boolean {
  return known?.length === name.length && known.toLowerCase() === name.toLowerCase();
}

/**
 * Refuses an attribute whose name is nearly that of one that names properties or prefixes. Without it, others would be masked.
 *
 * @param names of the attributes of an entry
 * @param known those that name properties and prefixes, as far as they are configured
 * @param place of the attributes
 * @throws ServiceError `decision-not-understood`
 */
export function refuseMisspeltNames(
  names: readonly string[],
  known: readonly string[],
  place: JsonPointer,
): void {
  const missing = known.filter((name) => !names.includes(name));
  const misspelt = names.find(
    (name) =>
      !known.includes(name) &&
      (isLikeMissing(name, missing) || known.some((one) => isInOtherLetters(name, one))),
  );
  if (misspelt !== undefined)
    throw notUnderstood('a name that is nearly that of an attribute of properties', [...place, misspelt]);
}

/** What joins conditions, and is read in one only. */
const JOINS: ReadonlySet<string> = new Set(['AND', 'OR']);

/**
 * Refuses a condition where none is read, and rules in members that are not read.
 *
 * @param members of an entry, an action, a policy or the attributes of an entry
 * @param read the names of those that are read
 * @param place of the object
 * @throws ServiceError `decision-not-understood`
 */
export function refuseStrayConditions(members: Members, read: ReadonlySet<string>, place: JsonPointer): void {
  // An action has a value, which may be that of a leaf.
  if (isLeaf(members) && !read.has('attribute')) throw notUnderstood(STRAY, [...place, 'attribute']);
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (read.has(name)) continue;
    if (isWritten(value) && isLikeCondition(name)) throw notUnderstood(STRAY, [...place, name]);
    if (!mayBeCondition(value)) continue;
    if (JOINS.has(name) || isLikeCondition(name)) throw notUnderstood(STRAY, [...place, name]);
    refusePartsIn(value, [...place, name]);
  }
}

/** Whether a value may be a condition that is written in another way: as a text, or as a list of them. */
function isWritten(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isJsonText) : isJsonText(value);
}

/** Lists of texts, numbers and null say nothing: an attribute may have any name. */
function mayBeCondition(value: unknown): boolean {
  return Array.isArray(value) ? value.some(saysSomething) : saysSomething(value);
}

/** The parts of a section and of its privileges: none of them may be where it is not read. */
export const OF_SECTIONS: readonly string[] = ['access', 'privileges', 'allowed', 'denied'];
/** What must not be lost around the sections, where PDPs may add what they like. */
export const AROUND_SECTIONS: readonly string[] = ['response', ...OF_SECTIONS];
