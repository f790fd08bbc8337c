import { nearest } from '../../../nearest.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';

const CONDITION = 'asset-attributes-filter';
/** Names like it, by their letters. `asset-attributes` alone may be something else. */
const LIKE_CONDITION = /^asset[a-z]*filters?$|attributes?filter|^assetattributes?[a-rt-z]/u;

const ATTRIBUTES = 'attributes';

/** Of how many names of one answer it is asked whether they are misspelt: PDPs have few members of their own. */
const MAX_NAMES = 1000;

/** Whether a name is like that of a condition. Without its condition, an action would be about more than it should. */
export function isLikeCondition(name: string): boolean {
  return LIKE_CONDITION.test(name.toLowerCase().replace(/[^a-z]/gu, ''));
}

/** Whether a name is nearly that of the attributes of an entry. Without them, its path would be taken for its property. */
export function isLikeAttributes(name: string): boolean {
  return name !== ATTRIBUTES && nearest(name, [ATTRIBUTES]) !== undefined;
}

/**
 * Refuses attributes whose name is misspelt.
 *
 * @param names of the members of an entry
 * @param place of the entry
 * @throws ServiceError `decision-not-understood`
 */
export function refuseMisspeltAttributes(names: readonly string[], place: JsonPointer): void {
  const misspelt = names.slice(0, MAX_NAMES).find((name) => isLikeAttributes(name));
  if (misspelt !== undefined)
    throw notUnderstood(`a name that is nearly ${ATTRIBUTES}`, [...place, misspelt]);
}

/**
 * Refuses a condition where none is read.
 *
 * @param names of the members of an object
 * @param known those that are read
 * @param place of the object
 * @throws ServiceError `decision-not-understood`
 */
export function refuseStrayConditions(
  names: readonly string[],
  known: ReadonlySet<string>,
  place: JsonPointer,
): void {
  const stray = names.find((name) => !known.has(name) && isLikeCondition(name));
  if (stray !== undefined)
    throw notUnderstood(`a condition that is not ${CONDITION} of an action`, [...place, stray]);
}

/** Finds misspelt names in the parts of one answer. */
export class Misspelt {
  private asked = 0;

  /**
   * Refuses a member that is nearly one of those that are read: what it says would be lost.
   *
   * @throws ServiceError `decision-not-understood`
   */
  refuse(name: string, known: readonly string[], place: JsonPointer): void {
    if (this.asked++ >= MAX_NAMES) return;
    const meant = nearest(name, known);
    if (meant !== undefined) throw notUnderstood(`a name that is nearly ${meant}`, [...place, name]);
  }
}
