import lodash from 'lodash';
import { NumberText, type JsonValue } from '../../../src/core/json/value.ts';

/** What `JSON.parse` makes of a text, or undefined where it refuses it or where the text is not UTF-8. */
export function parsed(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text, withoutPrototype) };
  } catch {
    return undefined;
  }
}

/**
 * Whether `JSON.parse` of Node 24 to 26 may misread the names in a text, or in texts that come after it: once a name holds
 * a backslash, a name with an escape may be taken for it (https://github.com/nodejs/node/issues/63785).
 */
export function misleads(bytes: Buffer): boolean {
  return /\\(?:\\|u005c)[^]*:/iu.test(bytes.toString());
}

/** Objects as the service has them: `__proto__` is a name like any other. */
function withoutPrototype(_name: string, value: unknown): unknown {
  return lodash.isPlainObject(value) ? Object.assign(Object.create(null), value) : value;
}

/** A value of the service's with its numbers as JavaScript reads them. */
export function withNumbers(value: JsonValue): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withNumbers(member)] as const);
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, member] of members) object[name] = member;
  return object;
}
