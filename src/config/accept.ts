import type { Values } from './values.ts';

/** What a value may be. `other` is what only the schema knows. */
export type Shape =
  | { readonly kind: 'integer' | 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'text'; readonly least: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'word'; readonly of: readonly string[] }
  | { readonly kind: 'either'; readonly of: readonly Shape[] }
  | { readonly kind: 'group'; readonly keys: Readonly<Record<string, Key>> }
  | { readonly kind: 'other' };

/** A key of the configuration, or of a group of keys. */
export type Key = Shape & { readonly standard?: unknown; readonly isOptional?: true };

/** Verifies the values of a key that is `other`: whether they are right, and stay as they are. */
export type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

/** Stands for a value that is not accepted. */
export const REFUSED = Symbol('refused');

/**
 * A value with every default, as the schema would make it.
 *
 * @param name of the key, dotted
 * @returns {@link REFUSED} if anything is wrong, or not known here
 */
export function accept(key: Key, value: unknown, name: string, checks: Checks): unknown {
  if (value === undefined && key.kind !== 'group') return absent(key);
  switch (key.kind) {
    case 'integer':
      return Number.isSafeInteger(value) && isWithin(value, key) ? value : REFUSED;
    case 'number':
      return Number.isFinite(value) && isWithin(value, key) ? value : REFUSED;
    case 'text':
      return typeof value === 'string' && value.length >= key.least ? value : REFUSED;
    case 'flag':
      return typeof value === 'boolean' ? value : REFUSED;
    case 'word':
      return key.of.some((one) => one === value) ? value : REFUSED;
    case 'either':
      return key.of.some((one) => accept(one, value, name, checks) !== REFUSED) ? value : REFUSED;
    case 'group':
      return acceptGroup(key.keys, value === undefined ? {} : value, name, checks);
    case 'other':
      return checks[name]?.(value) === true ? value : REFUSED;
  }
}

function absent({ standard, isOptional }: Key): unknown {
  if (standard !== undefined) return structuredClone(standard);
  return isOptional ? undefined : REFUSED;
}

function isWithin(
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function acceptGroup(
  keys: Readonly<Record<string, Key>>,
  group: unknown,
  name: string,
  checks: Checks,
): Values | typeof REFUSED {
  if (!isMap(group) || Object.keys(group).some((one) => !Object.hasOwn(keys, one))) return REFUSED;
  const prefix = name === '' ? '' : `${name}.`;
  const members = Object.entries(keys).map(
    ([one, key]) => [one, accept(key, group[one], prefix + one, checks)] as const,
  );
  if (members.some(([, value]) => value === REFUSED)) return REFUSED;
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
