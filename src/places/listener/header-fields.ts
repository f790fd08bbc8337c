import type { HeaderFields } from '../../enforcement/index.ts';

/** Names of header fields, for looking up whether a message's own names are among them. */
export class FieldNames {
  readonly #names: ReadonlySet<string>;
  /** A bit for each length (modulo 32) of a name: most of a message's names need no second look. */
  readonly #lengths: number;

  /** @param names in lower case */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    let lengths = 0;
    for (const { length } of this.#names) lengths |= 1 << (length & 31);
    this.#lengths = lengths;
  }

  /** @param name in any letter case */
  has(name: string): boolean {
    return (this.#lengths & (1 << (name.length & 31))) !== 0 && this.#names.has(name.toLowerCase());
  }
}

/** What holds between two neighbours only (RFC 9110 §7.6.1 and §11.7). */
const HOP_BY_HOP = new FieldNames([
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

/** Names and values in turn. */
export function rawOf(fields: HeaderFields): string[] {
  const raw: string[] = [];
  for (const [name, value] of fields) raw.push(name, value);
  return raw;
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

/** The fields without those of these names. */
export function withoutFields(fields: HeaderFields, names: FieldNames): HeaderFields {
  const kept: HeaderFields[number][] = [];
  for (const field of fields) if (!names.has(field[0])) kept.push(field);
  return kept;
}

/**
 * The header fields of a message, without those between neighbours: hop-by-hop fields, and those that `Connection` names.
 *
 * A name counts as it is spelt, case aside: `Proxy_Connection` is not `Proxy-Connection`.
 */
export function endToEnd(fields: HeaderFields): HeaderFields {
  const kept = withoutFields(fields, HOP_BY_HOP);
  const named = listedIn(fields, 'connection').filter((name) => !isKnown(name));
  return named.length === 0 ? kept : withoutFields(kept, new FieldNames(named));
}

/** Whether it is dropped or kept whether or not `Connection` names it. */
function isKnown(name: string): boolean {
  return NEVER_HOP_BY_HOP.has(name) || HOP_BY_HOP.has(name);
}
