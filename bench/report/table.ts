/**
 * A table in Markdown.
 *
 * @param numbers the columns that hold numbers
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
): string {
  const rule = head.map((_, index) => (numbers.includes(index) ? '--:' : '---'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
