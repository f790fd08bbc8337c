import { NumberText } from '../../core/index.ts';
import { nearest } from '../../nearest.ts';
import { notUnderstood, placeFrom, type JsonPointer, type Place } from './not-understood.ts';

/** How many different names one answer may have that are not read, where some would lose rules: PDPs have few. */
const MAX_NAMES = 10_000;

/** Other words for what is read of an answer, in lower case. Their letters are not near its names. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ...['deny', 'denials', 'forbidden', 'refused'].map((word) => [word, 'denied'] as const),
  ...['permit', 'permits', 'permitted'].map((word) => [word, 'allowed'] as const),
  ['privs', 'privileges'],
  // The rules of other protocols, which are lost beside sections.
  ...['rules', 'obligations'].map((word) => [word, 'access'] as const),
]);

/** Finds misspelt and misplaced names in one answer. */
export class Misspelt {
  private readonly asked = new Map<readonly string[], Set<string>>();
  private count = 0;

  /**
   * Refuses a member that is not read and has nearly one of some names, or exactly: what it says would be lost.
   *
   * @param meant the names; the same list each time
   * @param place of the object, or what makes it
   * @throws ServiceError `decision-not-understood`
   */
  refuse(name: string, meant: readonly string[], place: Place): void {
    const asked = this.askedOf(meant);
    if (asked.has(name)) return;
    if (++this.count > MAX_NAMES)
      throw notUnderstood(`more than ${MAX_NAMES} names that are not known`, place);
    const found = nearest(name, meant);
    if (found === name || isOtherWord(name, meant))
      throw notUnderstood('a member that is not read there', [...placeFrom(place), name]);
    if (found !== undefined)
      throw notUnderstood(`a name that is nearly ${found}`, [...placeFrom(place), name]);
    asked.add(name);
  }

  private askedOf(meant: readonly string[]): Set<string> {
    const known = this.asked.get(meant);
    if (known !== undefined) return known;
    const asked = new Set<string>();
    this.asked.set(meant, asked);
    return asked;
  }
}

function isOtherWord(name: string, meant: readonly string[]): boolean {
  const word = OTHER_WORDS.get(name.toLowerCase());
  return word !== undefined && meant.includes(word);
}

/**
 * Refuses those members of an object that would be lost: they have something in them, are not read, and have nearly one of some names.
 *
 * @param read the names of those that are read
 * @param meant the names of those that must not be lost; the same list for all objects of an answer
 * @throws ServiceError `decision-not-understood`
 */
export function refuseLost(
  object: Readonly<Record<string, unknown>>,
  { read, meant }: { readonly read: readonly string[]; readonly meant: readonly string[] },
  place: JsonPointer,
  misspelt = new Misspelt(),
): void {
  for (const [name, value] of Object.entries(object))
    if (!read.includes(name) && saysSomething(value)) misspelt.refuse(name, meant, place);
}

/** Whether a value may have rules in it. Other members of a PDP are texts and numbers, mostly. */
export function saysSomething(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return false;
  return Object.keys(value).length > 0;
}
