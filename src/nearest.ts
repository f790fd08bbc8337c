/** A word that is further away than this is another word, not a misspelling. */
const NEAR = 2;

/** In words up to this length, one edit is all: with two, half of the word is another. */
const SHORT = 4;

/**
 * How many characters must be put in, taken out or exchanged to get from one word to the other (Levenshtein). Of words that are not
 * near, it may return less than that, but still more than {@link NEAR}.
 */
function distance(one: string, other: string): number {
  const row: number[] = [];
  for (let column = 0; column <= other.length; column++) row.push(column);
  for (let index = 0; index < one.length; index++) {
    let before = index;
    let left = index + 1;
    let least = left;
    row[0] = left;
    for (let column = 1; column <= other.length; column++) {
      const above = row[column] ?? 0;
      const exchange = before + (one.charCodeAt(index) === other.charCodeAt(column - 1) ? 0 : 1);
      left = Math.min(exchange, above + 1, left + 1);
      least = Math.min(least, left);
      row[column] = left;
      before = above;
    }
    // No later row has less than the least of this one.
    if (least > NEAR) return least;
  }
  return row[other.length] ?? 0;
}

/** A word whose length or letters differ by more cannot be near: it is not compared, however long it is. */
function isComparable(word: string, candidate: string): boolean {
  if (Math.abs(word.length - candidate.length) > NEAR) return false;
  // An edit puts in one letter and takes out another, at most.
  let others = lettersIn(word) ^ lettersIn(candidate);
  for (let left = 2 * NEAR; others !== 0 && left > 0; left--) others &= others - 1;
  return others === 0;
}

/** A bit for each letter; some letters share one. */
function lettersIn(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << word.charCodeAt(at);
  return letters;
}

/** In short words, two edits are near only if they swap two letters: the word has the same ones. */
function isNear(edits: number, word: string, candidate: string, most: number): boolean {
  if (edits <= (word.length <= SHORT ? 1 : most)) return true;
  return edits <= NEAR && word.length === candidate.length && lettersOf(word) === lettersOf(candidate);
}

function lettersOf(word: string): string {
  return word.split('').toSorted().join('');
}

/**
 * The candidate that is most like a misspelt word, in any letter case; the first of several.
 *
 * @param most how many edits it may be away, unless they swap two letters: 2, or 1 where words of others are to be told apart
 * @returns undefined if none is within two edits, or if the word is too short to resemble any
 */
export function nearest(word: string, candidates: readonly string[], most: 1 | 2 = NEAR): string | undefined {
  const lower = word.toLowerCase();
  return candidates
    .filter((candidate) => isComparable(lower, candidate.toLowerCase()))
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, edits }) => edits < word.length && isNear(edits, lower, candidate.toLowerCase(), most),
    )
    .toSorted((one, other) => one.edits - other.edits)[0]?.candidate;
}

/** The plural of a singular, or the other way round. */
function inOtherNumber(word: string, known: readonly string[]): string | undefined {
  const singular = singularOf(word);
  return known.find((candidate) => singularOf(candidate) === singular);
}

function singularOf(word: string): string {
  return word.toLowerCase().replace(/ies$/u, 'y').replace(/s$/u, '');
}

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
  const found = typeof word === 'string' ? (nearest(word, known) ?? inOtherNumber(word, known)) : undefined;
  return found === undefined ? '' : `; the nearest one is ${written.get(found) ?? found}`;
}
