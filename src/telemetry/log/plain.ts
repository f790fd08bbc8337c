import lodash from 'lodash';

/** A value that JSON can say, and nothing else. */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainFields;
export interface PlainFields {
  readonly [name: string]: Plain;
}

/** In the place of fields that cannot be read. */
export const NOT_READABLE = '[not readable]';

/** Deeper than any field that helps a reader of the log. */
const MAX_DEPTH = 8;

/** Of an error, only these: whatever else hangs on one (the request of an HTTP client, say) may hold secrets. */
const ERROR_FIELDS = ['name', 'message', 'code', 'stack'] as const;

function plainError(error: Error, depth: number): PlainFields {
  const said = ERROR_FIELDS.map((field): [string, unknown] => [field, Reflect.get(error, field)]);
  const cause: unknown = Error.isError(error.cause) ? error.cause : undefined;
  return plainEntries([...said, ['cause', cause]], depth);
}

function plainEntries(entries: readonly (readonly [string, unknown])[], depth: number): PlainFields {
  const plain: [string, Plain][] = [];
  for (const [name, value] of entries) {
    const one = plainValue(value, depth + 1);
    if (one !== undefined) plain.push([name, one]);
  }
  return Object.fromEntries(plain);
}

function plainObject(value: object, depth: number): Plain {
  if (depth > MAX_DEPTH) return '[nested too deeply]';
  if (Error.isError(value)) return plainError(value, depth);
  if (value instanceof Date || value instanceof URL) return value.toJSON();
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1) ?? null);
  // An instance of a class may hold anything, so only its kind is named.
  return lodash.isPlainObject(value)
    ? plainEntries(Object.entries(value), depth)
    : Object.prototype.toString.call(value);
}

/**
 * A value as plain data.
 *
 * @param depth how deep it is in the fields of an entry: 1 for the value of a field
 * @returns undefined if JSON cannot express it
 */
export function plainValue(value: unknown, depth: number): Plain | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'object' ? plainObject(value, depth) : undefined;
}

/**
 * The fields of a log entry as plain data: errors reduced to name, message, code, stack and cause; instances of classes
 * to their kind; cycles cut by depth; values that JSON cannot express left out.
 *
 * @returns the fields; if reading them failed (a getter that throws), one field that says so. Never throws.
 */
export function plainFields(fields: unknown): PlainFields {
  try {
    return typeof fields === 'object' && fields !== null ? plainEntries(Object.entries(fields), 0) : {};
  } catch {
    return { fields: NOT_READABLE };
  }
}
