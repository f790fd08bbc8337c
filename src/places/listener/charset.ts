import type { MIMEType } from 'node:util';

const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/**
 * Whether a `Content-Type` leaves no doubt that its text is UTF-8, the default of JSON. Readers differ in which of several
 * charsets counts, and in whether one counts that is empty or has a space before its `=`.
 */
export function isUtf8(contentType: string, { params }: MIMEType): boolean {
  const charsets = contentType.match(/;\s*charset\s*=/giu) ?? [];
  if (charsets.length === 0) return true;
  return charsets.length === 1 && UTF_8.has((params.get('charset') ?? '').toLowerCase());
}
