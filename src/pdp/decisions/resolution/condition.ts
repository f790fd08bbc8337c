import {
  Comparison,
  VALUE_TYPES,
  ValueError,
  type AttributePath,
  type Condition,
  type Operator,
  type ComparedPart,
  type ValueType,
} from '../../../core/index.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { operatorNamed } from './operators.ts';
import {
  asObject,
  asOneOf,
  asScalars,
  isList,
  isObject,
  optionalText,
  required,
  requiredText,
} from './parts.ts';
import { readAttributePath, readPaths } from '../path.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';

export interface LeafAnswer {
  readonly attribute: string;
  readonly type: string | undefined;
  readonly operator: string;
  readonly values: readonly string[];
  readonly match: string | undefined;
}

/** Which attributes of a condition are about the property rather than the record. */
export type ConditionSettings = Pick<DecisionSettings, 'attrName' | 'object'>;

/**
 * Reads a condition tree (docs/enforcement.md#conditions).
 *
 * @param tree `asset-attributes-filter`
 * @throws ServiceError `decision-not-understood`
 */
export function readCondition(tree: unknown, settings: ConditionSettings, place: JsonPointer): Condition {
  const group = groupIn(tree);
  if (group === undefined) return conditionOn(readLeaf(tree, place), settings, place);
  const { kind, key, of } = group;
  return { kind, of: of.map((part, i) => readCondition(part ?? {}, settings, [...place, key, i])) };
}

interface Group {
  readonly kind: 'all' | 'any';
  readonly key: 'AND' | 'OR';
  readonly of: readonly unknown[];
}

/** An object with one list and nothing else. */
function groupIn(tree: unknown): Group | undefined {
  if (!isObject(tree)) return undefined;
  const { AND, OR } = tree;
  if (AND === undefined && OR === undefined) return undefined;
  if (Object.keys(tree).length > 1) return undefined;
  if (isList(AND)) return { kind: 'all', key: 'AND', of: AND };
  return isList(OR) ? { kind: 'any', key: 'OR', of: OR } : undefined;
}

const LEAF_MEMBERS: ReadonlySet<string> = new Set(['attribute', 'type', 'operator', 'values', 'match']);

function readLeaf(value: unknown, place: JsonPointer): LeafAnswer {
  const leaf = asObject(value, place);
  for (const name in leaf)
    if (!LEAF_MEMBERS.has(name)) throw notUnderstood('an unknown member', [...place, name]);
  const attribute = requiredText(leaf, 'attribute', place);
  const values = required(leaf, 'values', asScalars, place);
  if (attribute === '') throw notUnderstood('a condition without an attribute', place);
  if (values.length === 0) throw notUnderstood('a condition without values', place);
  return {
    attribute,
    type: optionalText(leaf, 'type', place),
    operator: requiredText(leaf, 'operator', place),
    values,
    match: optionalText(leaf, 'match', place),
  };
}

/**
 * The condition that a leaf is.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function conditionOn(leaf: LeafAnswer, settings: ConditionSettings, place: JsonPointer): Condition {
  const operator = operatorNamed(leaf.operator);
  if (!operator) throw notUnderstood('an unknown operator', [...place, 'operator']);
  const subject = subjectOf(leaf.attribute, settings);
  const comparison = comparisonOf(leaf, operator, place);
  const comparesPaths = subject !== 'record' && operator.relation === 'equals';
  return {
    kind: 'leaf',
    subject,
    comparison,
    attribute:
      subject === 'record' ? readAttributePath(leaf.attribute, [...place, 'attribute']) : NO_ATTRIBUTE,
    paths: comparesPaths ? readPaths(leaf.values, [...place, 'values']) : [],
    written: { attribute: leaf.attribute, operator: leaf.operator },
    values: leaf.values,
    key: JSON.stringify([leaf.attribute, leaf.type, leaf.operator, leaf.values, leaf.match]),
  };
}

function comparisonOf(leaf: LeafAnswer, operator: Operator, place: JsonPointer): Comparison {
  try {
    return new Comparison(
      operator,
      typeOf(leaf.type ?? 'STRING', place),
      leaf.values,
      everyValue(leaf.match ?? 'ANY', place),
    );
  } catch (error) {
    if (error instanceof ValueError) throw notUnderstood(error.message, [...place, 'values']);
    throw error;
  }
}

const NO_ATTRIBUTE: AttributePath = { path: [], isAnchored: false };

function subjectOf(attribute: string, { attrName, object }: ConditionSettings): ComparedPart {
  if (attribute === attrName) return 'property';
  return attribute === object ? 'prefix' : 'record';
}

function typeOf(name: string, place: JsonPointer): ValueType {
  return asOneOf(VALUE_TYPES, name.toUpperCase(), [...place, 'type']);
}

function everyValue(match: string, place: JsonPointer): boolean {
  return asOneOf(['ANY', 'ALL'], match.toUpperCase(), [...place, 'match']) === 'ALL';
}
