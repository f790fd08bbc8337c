import { NumberText, VALUE_TYPES, type JsonValue, type ValueType } from '../../../core/index.ts';
import {
  type Action,
  type AssetSelector,
  type Comparison,
  type Condition,
  isConsistent,
  isMisspeltDryRun,
  MAX_LEVELS,
  parseOperator,
  type Policy,
  problemWithAction,
  memberAsked,
  problemWithLiteral,
  problemWithIdentifier,
  problemWithListedPath,
  problemWithPath,
  typeProblems,
} from '../../policies/index.ts';
import { MAX_PRIORITY_DIGITS } from '../action.ts';
import { isObject, type JsonObject } from '../json-answer.ts';
import type { JsonPointer } from '../not-understood.ts';
import { DRY_RUN, UNNAMED, type DocumentRule } from './schema.ts';

const RULE = membersOf(
  'policy assetType effect object properties action priority when assets metadata dryRun maskShort',
);
const ACTION = membersOf('name value');
const COMPARISON = membersOf('attribute operator type values match');
const ALL = membersOf('all');
const ANY = membersOf('any');
const ASSETS = membersOf('type ids');
const TYPES: ReadonlySet<string> = new Set(VALUE_TYPES);
const WHOLE_NUMBER = /^\d+$/;

/** Thrown when a rule may be wrong; the schema finds out what it is. */
class Doubt extends Error {
  /** What leads to the part that may be wrong, as far as that is known. */
  readonly place: (string | number)[];

  constructor(place: JsonPointer = []) {
    super();
    this.place = [...place];
  }
}

/** A rule, or the place of what may be wrong in it. */
type ReadRule = { readonly rule: DocumentRule } | { readonly doubtedAt: JsonPointer };

/**
 * Reads a rule that is right, in a fraction of the time that the schema takes (`schema.ts`). It reads nothing that the schema
 * refuses, and reads everything else as the schema does.
 *
 * @param assetType of a rule that names none
 */
export function wellFormedRule(written: JsonValue, assetType: string): ReadRule {
  try {
    return { rule: ruleOf(written, assetType) };
  } catch (error) {
    if (error instanceof Doubt) return { doubtedAt: error.place };
    throw error;
  }
}

function ruleOf(written: JsonValue, assetType: string): DocumentRule {
  const rule = objectWith(written, RULE);
  const policy = optional(rule, 'policy', text);
  const read: Policy = {
    name: policy ?? UNNAMED,
    assetType: optional(rule, 'assetType', text) ?? assetType,
    effect: optional(rule, 'effect', effect) ?? 'allowed',
    object: optional(rule, 'object', path),
    properties: optional(rule, 'properties', (list) => allOrListOf(list, listedPath)),
    action: actionOf(rule['action']),
    when: optional(rule, 'when', (tree) => conditionOf(tree, 0)),
    assets: optional(rule, 'assets', assetsOf),
    metadata: metadataOf(rule),
  };
  const priority = optional(rule, 'priority', priorityOf);
  const order = priority === undefined ? undefined : 0;
  if (!isConsistent({ ...read, priority: order })) throw new Doubt();
  return { policy, rule: read, priority, maskShort: optional(rule, 'maskShort', flag) };
}

function actionOf(written: JsonValue | undefined): Action {
  if (!isObject(written)) {
    const name = text(written);
    if (problemWithAction(name) !== undefined) throw new Doubt();
    return { name };
  }
  const { name, value } = objectWith(written, ACTION);
  if (isNumber(value)) return { name: text(name), value: String(value) };
  const action = { name: text(name), value: value === '' ? value : plainText(value) };
  if (problemWithLiteral(action[memberAsked(action)]) !== undefined) throw new Doubt();
  return action;
}

function conditionOf(written: JsonValue | undefined, depth: number): Condition {
  if (depth > MAX_LEVELS || !isObject(written)) throw new Doubt();
  const part = (one: JsonValue): Condition => conditionOf(one, depth + 1);
  if ('all' in written) return { all: partsOf(objectWith(written, ALL), 'all', part) };
  if ('any' in written) return { any: partsOf(objectWith(written, ANY), 'any', part) };
  return comparisonOf(objectWith(written, COMPARISON));
}

function partsOf<T>(tree: JsonObject, name: string, part: (one: JsonValue) => T): T[] {
  return at(name, () => listOf(tree[name], part));
}

function comparisonOf(written: JsonObject): Comparison {
  const { attribute, operator, values } = written;
  const known = parseOperator(text(operator));
  if (known === undefined) throw new Doubt();
  const comparison = {
    attribute: path(attribute),
    operator: known,
    type: optional(written, 'type', valueType) ?? ('STRING' as const),
    values: Array.isArray(values)
      ? at('values', () => listOf(values, conditionValue))
      : [conditionValue(values)],
    match: optional(written, 'match', matchOf),
  };
  const [problem] = typeProblems(comparison);
  if (problem !== undefined) throw new Doubt(problem.place);
  return comparison;
}

function conditionValue(value: JsonValue | undefined): string {
  if (typeof value === 'boolean' || isNumber(value)) return String(value);
  if (typeof value !== 'string' || value.startsWith('${')) throw new Doubt();
  return value;
}

function assetsOf(written: JsonValue): AssetSelector {
  const { type, ids } = objectWith(written, ASSETS);
  return { type: text(type), ids: at('ids', () => allOrListOf(ids, plainText)) };
}

function metadataOf(rule: JsonObject): Policy['metadata'] {
  const { dryRun } = rule;
  const read = optional(rule, 'metadata', entriesOf) ?? {};
  if (dryRun === undefined) return read;
  if (DRY_RUN in read) throw new Doubt();
  return { ...read, [DRY_RUN]: identifier(dryRun) };
}

function entriesOf(written: JsonValue): Policy['metadata'] {
  if (!isObject(written)) throw new Doubt();
  const entries = Object.entries(written).map(([key, value]) => [key, at(key, () => entryOf(key, value))]);
  return Object.fromEntries(entries);
}

function entryOf(key: string, value: JsonValue): string {
  if (isMisspeltDryRun(key) || key === '__proto__') throw new Doubt();
  return key === DRY_RUN ? identifier(plainText(value)) : plainText(value);
}

function priorityOf(value: JsonValue): bigint {
  const digits = isNumber(value) ? String(value) : '';
  if (!WHOLE_NUMBER.test(digits) || digits.length > MAX_PRIORITY_DIGITS) throw new Doubt();
  return BigInt(digits);
}

function effect(value: JsonValue): Policy['effect'] {
  if (value !== 'allowed' && value !== 'denied') throw new Doubt();
  return value;
}

function matchOf(value: JsonValue): 'ANY' | 'ALL' {
  if (value !== 'ANY' && value !== 'ALL') throw new Doubt();
  return value;
}

function valueType(value: JsonValue): ValueType {
  if (!isValueType(value)) throw new Doubt();
  return value;
}

function isValueType(value: JsonValue): value is ValueType {
  return typeof value === 'string' && TYPES.has(value);
}

function flag(value: JsonValue): boolean {
  if (typeof value !== 'boolean') throw new Doubt();
  return value;
}

function text(value: JsonValue | undefined): string {
  if (typeof value !== 'string' || value === '') throw new Doubt();
  return value;
}

/** @param problemWith why a text is no such path; undefined if it is one */
function pathBy(value: JsonValue | undefined, problemWith: (path: string) => string | undefined): string {
  const written = text(value);
  if (problemWith(written) !== undefined) throw new Doubt();
  return written;
}

function path(value: JsonValue | undefined): string {
  return pathBy(value, problemWithPath);
}

function identifier(value: JsonValue | undefined): string {
  return pathBy(value, problemWithIdentifier);
}

function listedPath(value: JsonValue | undefined): string {
  return pathBy(value, problemWithListedPath);
}

function plainText(value: JsonValue | undefined): string {
  const written = text(value);
  if (written.includes('${')) throw new Doubt();
  return written;
}

function allOrListOf(value: JsonValue | undefined, read: (one: JsonValue) => string): string[] | 'all' {
  return value === 'all' ? value : listOf(value, read);
}

function listOf<T>(value: JsonValue | undefined, read: (one: JsonValue) => T): T[] {
  if (!Array.isArray(value) || value.length === 0) throw new Doubt();
  return value.map((one, i) => at(i, () => read(one)));
}

function optional<T>(of: JsonObject, name: string, read: (value: JsonValue) => T): T | undefined {
  const value = of[name];
  return value === undefined ? undefined : at(name, () => read(value));
}

/** Reads a part; a doubt about it has its place. */
function at<T>(step: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Doubt) error.place.unshift(step);
    throw error;
  }
}

function objectWith(value: JsonValue | undefined, members: ReadonlySet<string>): JsonObject {
  if (!isObject(value)) throw new Doubt();
  for (const name in value) if (!members.has(name)) return at(name, doubt);
  return value;
}

function doubt(): never {
  throw new Doubt();
}

function isNumber(value: JsonValue | undefined): value is number | NumberText {
  return typeof value === 'number' || value instanceof NumberText;
}

function membersOf(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
