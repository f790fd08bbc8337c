import { nearest } from '../../nearest.ts';

/**
 * The end of a message about a word that is not known: the known one that is most like it, if there is any.
 *
 * @param written how the known ones are written, if they need more than the word
 */
export function nearestOf(
  word: unknown,
  known: readonly string[],
  written: ReadonlyMap<string, string> = new Map(),
): string {
  const found = typeof word === 'string' ? nearest(word, known) : undefined;
  return found === undefined ? '' : `; the nearest one is ${written.get(found) ?? found}`;
}
