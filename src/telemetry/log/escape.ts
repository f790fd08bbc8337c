/** As most lines are. Finding that out takes a tenth of looking for what is not printable. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/u;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeOf(character: string): string {
  return SHORT_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Text that stays on one line wherever it is printed.
 *
 * The escapes are JSON's own, so text that is JSON already still is and means the same.
 */
export function escapeUnprintable(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : escapeEach(text);
}

/**
 * Escapes characters that could break a line, drive a terminal or reorder the text on the screen: control characters (C0, DEL
 * and C1, so U+0085 too), the line and paragraph separators, bidirectional controls and lone surrogates.
 *
 * The expression is made when it is first needed, because that takes a millisecond.
 */
function escapeEach(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}]/gu, escapeOf);
}
