import { nearest } from '../../../../nearest.ts';

/** The end of a message about a word that is not known: the known one that is most like it, if there is any. */
export function nearestOf(word: unknown, known: readonly string[]): string {
  const found = typeof word === 'string' ? nearest(word, known) : undefined;
  return found === undefined ? '' : `; the nearest one is ${found}`;
}
