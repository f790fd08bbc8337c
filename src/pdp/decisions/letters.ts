/** The letters of a word, in lower case, whatever is between them. */
export function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/gu, '');
}
