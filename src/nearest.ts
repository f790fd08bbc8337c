/** How many characters must be put in, taken out or exchanged to get from one word to the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, character] of one.split('').entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const exchange = (row[column - 1] ?? 0) + (other[column - 1] === character ? 0 : 1);
      next.push(Math.min(exchange, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The candidate that is most like a misspelt word, whatever its case; the first of several. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const from = (candidate: string): number => distance(word.toLowerCase(), candidate.toLowerCase());
  return candidates
    .map((candidate) => ({ candidate, distance: from(candidate) }))
    .toSorted((one, other) => one.distance - other.distance)[0]?.candidate;
}
