/** @returns a character up to U+FFFF as an escape of JSON */
export function spelt(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
