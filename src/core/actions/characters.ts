const PRINTABLE_ASCII = /^[\x20-\x7e]*$/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text as the characters that a person counts: an emoji or an accented letter is one (enforcement §7). */
export function charactersOf(text: string): string[] {
  if (PRINTABLE_ASCII.test(text)) return text.split('');
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
