import { attributeValues } from './attribute.ts';
import type { Document } from './document.ts';
import { scalarText } from './model.ts';
import type { Path } from './path.ts';
import type { Place } from './place.ts';
import type { Policy } from './policies.ts';

/** The lines of a record in the log, one for each policy in dry run (docs/enforcement.md#dry-run). */
export function dryRunLines(
  policies: readonly Policy[],
  document: Document,
  record: Place,
  user: string,
): string[] {
  const once = policies.filter(
    ({ name, identifier }, at) =>
      policies.findIndex((other) => other.name === name && other.identifier?.text === identifier?.text) ===
      at,
  );
  return once.flatMap(({ name, identifier }) => {
    if (identifier === undefined) return [];
    const value = identify(document, record, identifier.path);
    const line = `Enforcement by Policy ${name} on ${identifier.text} ${value} was skipped for User ${user}`;
    return [escapeLineBreaks(line)];
  });
}

function identify(document: Document, record: Place, path: Path): string {
  const texts = attributeValues(document, record, path).flatMap((value) => scalarText(value) ?? []);
  return texts.length === 0 ? 'unknown' : texts.join(',');
}

/** A text as a line of the log. */
export function escapeLineBreaks(text: string): string {
  return text.replace(/[\n\r\u2028\u2029]/g, (character) => ESCAPES[character] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};
