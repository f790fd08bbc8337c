import lodash from 'lodash';
import { CONFIGURATION_KEYS } from './keys.ts';
import type { Problem } from '../yaml/index.ts';

type Values = Readonly<Record<string, unknown>>;

/** The keys that may be written flat (`log.level: info`), as the table of the standalone form spells them. */
const NESTED_KEYS = CONFIGURATION_KEYS.map(({ key }) => key).filter((key) => key.includes('.'));

function isOpen(group: unknown): boolean {
  return group === undefined || lodash.isPlainObject(group);
}

function nestKey(values: Values, key: string): Values {
  const path = key.split('.');
  const rest = lodash.omit(values, [key]);
  // A group that is no map is a problem of its own, which must stay to be seen.
  const fits = values[key] !== undefined && isOpen(lodash.get(rest, path.slice(0, -1)));
  return fits ? lodash.set(lodash.cloneDeep(rest), path, values[key]) : rest;
}

function conflictOf(values: Values, key: string): readonly Problem[] {
  const nested: unknown = lodash.get(lodash.omit(values, [key]), key.split('.'));
  if (nested === undefined || values[key] === undefined || lodash.isEqual(nested, values[key])) return [];
  return [{ key, message: 'is given twice with different values, flat and nested; keep one' }];
}

/** Values with every key nested that was written flat, and the keys that are given in both ways and differ. */
export function nestFlatKeys(values: Values): { values: Values; problems: readonly Problem[] } {
  const flat = NESTED_KEYS.filter((key) => Object.hasOwn(values, key));
  return {
    values: flat.reduce(nestKey, values),
    problems: flat.flatMap((key) => conflictOf(values, key)),
  };
}
