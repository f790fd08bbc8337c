import type { HeaderFields } from '../../enforcement/index.ts';

/** What holds between two neighbours only (RFC 9110 §7.6.1 and §11.7). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What frames or routes a message stays, even if `Connection` names it. */
const NEVER_HOP_BY_HOP: ReadonlySet<string> = new Set(['content-length', 'host']);

/** Header fields from names and values in turn, as in `rawHeaders` of Node's `IncomingMessage`. */
export function fieldsOf(raw: readonly string[]): HeaderFields {
  const fields: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) fields.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return fields;
}

/** Every value of a field, in the order of the message. @param name in lower case */
export function valuesOf(fields: HeaderFields, name: string): readonly string[] {
  const values: string[] = [];
  for (const [one, value] of fields)
    if (one.length === name.length && one.toLowerCase() === name) values.push(value);
  return values;
}

/** The elements of a field that is a list, trimmed and in lower case. @param name in lower case */
export function listedIn(fields: HeaderFields, name: string): readonly string[] {
  const elements: string[] = [];
  for (const value of valuesOf(fields, name)) {
    for (const element of value.split(',')) {
      const listed = element.trim().toLowerCase();
      if (listed !== '') elements.push(listed);
    }
  }
  return elements;
}

/** The fields without those of these names, which are in lower case. */
export function withoutFields(fields: HeaderFields, names: ReadonlySet<string>): HeaderFields {
  return fields.filter(([name]) => !names.has(name.toLowerCase()));
}

/**
 * The header fields of a message, without those between neighbours: hop-by-hop fields, and those that `Connection` names.
 *
 * A name counts as it is spelt, case aside: `Proxy_Connection` is not `Proxy-Connection`.
 */
export function endToEnd(fields: HeaderFields): HeaderFields {
  const named = new Set(listedIn(fields, 'connection').filter((name) => !NEVER_HOP_BY_HOP.has(name)));
  return fields.filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !named.has(lower);
  });
}
