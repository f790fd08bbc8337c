/** How long a text is at most that somebody else chose and that a line or a message quotes, in UTF-16 units. */
export const MAX_QUOTED = 256;

/** A text as it is quoted: the beginning of a longer one. */
export function shortened(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text;
}
