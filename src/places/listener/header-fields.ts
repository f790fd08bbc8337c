import { dashed } from '../../dashed.ts';
import type { HeaderFields } from '../../enforcement/index.ts';

/** Names of header fields, for looking up whether a message's own names are among them. */
export class FieldNames {
  readonly #names: ReadonlySet<string>;
  /** Whether there is a name of this shape: most of a message's names need no second look. */
  readonly #shapes = new Uint8Array(SHAPES);

  /** @param names in lower case */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    for (const name of this.#names) this.#shapes[shapeOf(name)] = 1;
  }

  /** @param name in any letter case */
  has(name: string): boolean {
    return this.#shapes[shapeOf(name)] === 1 && this.#names.has(name.toLowerCase());
  }
}

/** The same, for fields that an application must not see: also if they are spelt with `_` or others for `-`. */
export class HiddenFields {
  /** With `-`, in lower case. */
  readonly names: readonly string[];
  readonly #known: FieldNames;

  /** @param names in lower case */
  constructor(names: readonly string[]) {
    this.names = names;
    this.#known = new FieldNames(names);
  }

  /** @param name in any letter case */
  has(name: string): boolean {
    return this.#known.has(dashed(name));
  }
}

const SHAPES = 1024;

/** The last character and the length of a name, modulo 32: the same in any letter case. */
function shapeOf(name: string): number {
  return ((name.charCodeAt(name.length - 1) & 31) << 5) | (name.length & 31);
}

const KEEP_ALIVE = 'keep-alive';
/** What holds between two neighbours only (RFC 9110 §7.6.1 and §11.7, RFC 7540 §3.2.1). */
const HOP_BY_HOP = new FieldNames([
  'connection',
  'http2-settings',
  KEEP_ALIVE,
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What frames or routes a message stays, even if `Connection` names it. */
const NEVER_HOP_BY_HOP: ReadonlySet<string> = new Set(['content-length', 'host', 'via']);

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

const NONE: readonly string[] = [];
const DIGITS = /^\d+$/u;

/** Every value of a field, in the order of the message. @param name in lower case */
export function valuesOf(fields: HeaderFields, name: string): readonly string[] {
  let values: string[] | undefined;
  for (const [one, value] of fields) {
    if (one.length !== name.length || one.toLowerCase() !== name) continue;
    if (values === undefined) values = [value];
    else values.push(value);
  }
  return values ?? NONE;
}

/** How long a body is by `Content-Length`, in bytes; 0 if that is not there or not a number. */
export function declaredLength(fields: HeaderFields): number {
  const [value = ''] = valuesOf(fields, 'content-length');
  return DIGITS.test(value) ? Number(value) : 0;
}

/** The elements of a field that is a list, trimmed and in lower case. @param name in lower case */
export function listedIn(fields: HeaderFields, name: string): readonly string[] {
  const values = valuesOf(fields, name);
  if (values.length === 0) return NONE;
  const elements: string[] = [];
  for (const value of values) {
    for (const element of value.split(',')) {
      const listed = element.trim().toLowerCase();
      if (listed !== '') elements.push(listed);
    }
  }
  return elements;
}

/** The fields without those of these names. */
export function withoutFields(fields: HeaderFields, names: Pick<FieldNames, 'has'>): HeaderFields {
  return hasAny(fields, names) ? fields.filter(([name]) => !names.has(name)) : fields;
}

function hasAny(fields: HeaderFields, names: Pick<FieldNames, 'has'>): boolean {
  for (const [name] of fields) if (names.has(name)) return true;
  return false;
}

/**
 * The header fields of a message, without those between neighbours: hop-by-hop fields, and those that `Connection` names.
 *
 * A name counts as it is spelt, case aside: `Proxy_Connection` is not `Proxy-Connection`.
 */
export function endToEnd(fields: HeaderFields): HeaderFields {
  const kept = withoutFields(fields, HOP_BY_HOP);
  if (kept === fields) return kept;
  const named = namedByConnection(fields);
  return named.length === 0 ? kept : withoutFields(kept, new FieldNames(named));
}

/** What `Connection` makes hop-by-hop that would be end-to-end without it, in lower case. */
export function namedByConnection(fields: HeaderFields): readonly string[] {
  // Most messages name no others.
  if (valuesOf(fields, 'connection').every((value) => value === KEEP_ALIVE)) return NONE;
  return listedIn(fields, 'connection').filter((name) => !isKnown(name));
}

/** Whether it is dropped or kept whether or not `Connection` names it. */
function isKnown(name: string): boolean {
  return NEVER_HOP_BY_HOP.has(name) || HOP_BY_HOP.has(name);
}
