import { NumberText, VALUE_TYPES, type MaskKeys, type ValueType } from '../../core/index.ts';
import { problemWithAction, problemWithLiteral } from './action-text.ts';
import { isMisspeltDryRun } from './consistency.ts';
import { parseOperator } from './operators.ts';
import { problemWithPath } from './path-problem.ts';
import {
  MAX_LEVELS,
  type Action,
  type AssetSelector,
  type Comparison,
  type Condition,
  type ConditionValue,
  type Policy,
} from './policy.ts';
import { typeProblems } from './value-type.ts';

const DRY_RUN = 'DRY_RUN';
const ACTION = membersOf('name value');
const COMPARISON = membersOf('attribute operator type values match');
const ALL = membersOf('all');
const ANY = membersOf('any');
const ASSETS = membersOf('type ids');
const TYPES: ReadonlySet<string> = new Set(VALUE_TYPES);

/** Thrown when a part may be wrong; a schema finds out what it is. */
export class Doubt extends Error {}

/** Members by their names. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Reads something that is right, in a fraction of the time that a schema takes. The functions below read nothing that the schemas of
 * this folder refuse, and everything else as these do.
 *
 * @returns undefined if it may be wrong: the schema decides, and explains
 */
export function unlessInDoubt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

/** @param keys those that hashes may use; any unless given */
export function rightAction(written: unknown, keys?: MaskKeys): Action {
  if (typeof written !== 'object') {
    const name = rightText(written);
    if (problemWithAction(name, keys) !== undefined) throw new Doubt();
    return { name };
  }
  const { name, value } = objectWith(written, ACTION);
  if (isNumber(value)) return { name: rightText(name), value: String(value) };
  const literal = rightPlainText(value);
  if (problemWithLiteral(literal, keys) !== undefined) throw new Doubt();
  return { name: rightText(name), value: literal };
}

/** @param valueOf reads what a comparison lists */
export function rightCondition(
  written: unknown,
  valueOf: (written: unknown) => ConditionValue,
  depth = 0,
): Condition {
  if (depth > MAX_LEVELS || !isObject(written)) throw new Doubt();
  const part = (one: unknown): Condition => rightCondition(one, valueOf, depth + 1);
  if ('all' in written) return { all: rightList(objectWith(written, ALL)['all'], part) };
  if ('any' in written) return { any: rightList(objectWith(written, ANY)['any'], part) };
  return comparisonOf(objectWith(written, COMPARISON), valueOf);
}

function comparisonOf(
  { attribute, operator, type, values, match }: Members,
  valueOf: (written: unknown) => ConditionValue,
): Comparison {
  const known = parseOperator(rightText(operator));
  if (known === undefined) throw new Doubt();
  const comparison = {
    attribute: rightPath(attribute),
    operator: known,
    type: type === undefined ? ('STRING' as const) : valueType(type),
    values: Array.isArray(values) ? rightList(values, valueOf) : [valueOf(values)],
    match: match === undefined ? undefined : matchOf(match),
  };
  if (typeProblems(comparison).length > 0) throw new Doubt();
  return comparison;
}

export function rightAssets(written: unknown): AssetSelector {
  const { type, ids } = objectWith(written, ASSETS);
  return { type: rightText(type), ids: rightAllOrList(ids, rightPlainText) };
}

export function rightMetadata(written: unknown): Policy['metadata'] {
  if (!isObject(written)) throw new Doubt();
  const entries = Object.entries(written);
  if (entries.some(([key]) => isMisspeltDryRun(key) || key === '__proto__')) throw new Doubt();
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === DRY_RUN ? rightPath(rightPlainText(value)) : rightPlainText(value),
    ]),
  );
}

export function rightEffect(value: unknown): Policy['effect'] {
  if (value !== 'allowed' && value !== 'denied') throw new Doubt();
  return value;
}

function matchOf(value: unknown): 'ANY' | 'ALL' {
  if (value !== 'ANY' && value !== 'ALL') throw new Doubt();
  return value;
}

function valueType(value: unknown): ValueType {
  if (!isValueType(value)) throw new Doubt();
  return value;
}

function isValueType(value: unknown): value is ValueType {
  return typeof value === 'string' && TYPES.has(value);
}

export function rightFlag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Doubt();
  return value;
}

/** Text that is not empty. */
export function rightText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Doubt();
  return value;
}

export function rightPath(value: unknown): string {
  const written = rightText(value);
  if (problemWithPath(written) !== undefined) throw new Doubt();
  return written;
}

/** Text in which nothing is filled in. */
export function rightPlainText(value: unknown): string {
  const written = rightText(value);
  if (written.includes('${')) throw new Doubt();
  return written;
}

export function rightAllOrList(value: unknown, read: (one: unknown) => string): string[] | 'all' {
  return value === 'all' ? value : rightList(value, read);
}

/** A list with at least one element. */
export function rightList<T>(value: unknown, read: (one: unknown) => T): T[] {
  if (!Array.isArray(value) || value.length === 0) throw new Doubt();
  return value.map(read);
}

/** A member that may be missing. */
export function memberOf<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}

/** An object with these members and no others. */
export function objectWith(value: unknown, members: ReadonlySet<string>): Members {
  if (!isObject(value)) throw new Doubt();
  for (const name in value) if (!members.has(name)) throw new Doubt();
  return value;
}

function isObject(value: unknown): value is Members {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

function isNumber(value: unknown): value is number | NumberText {
  return typeof value === 'number' || value instanceof NumberText;
}

/** @param names between blanks */
export function membersOf(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
