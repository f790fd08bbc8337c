/**
 * The JSON pointer of a value (RFC 6901).
 *
 * @param steps the names and indexes that lead to it
 */
export function jsonPointer(steps: readonly PropertyKey[]): string {
  return steps.map((step) => `/${escaped(String(step))}`).join('');
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
