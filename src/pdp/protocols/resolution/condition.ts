import * as z from 'zod';
import {
  ALWAYS,
  Comparison,
  VALUE_TYPES,
  ValueError,
  type AttributePath,
  type Condition,
  type Operator,
  type ComparedPart,
  type ValueType,
} from '../../../core/index.ts';
import { read, readLeaf, type LeafAnswer } from './answer.ts';
import { notUnderstood, type Place } from './error.ts';
import { operatorNamed } from './operators.ts';
import { readAttributePath, readPath } from './path.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';

/** Which attributes of a condition are about the property rather than the record. */
export type ConditionSettings = Pick<DecisionSettings, 'attrName' | 'object'>;

const groupSchema = z.union([
  z
    .strictObject({ AND: z.array(z.unknown()) })
    .transform(({ AND }) => ({ kind: 'all' as const, key: 'AND', of: AND })),
  z
    .strictObject({ OR: z.array(z.unknown()) })
    .transform(({ OR }) => ({ kind: 'any' as const, key: 'OR', of: OR })),
]);

/**
 * Reads a condition tree (enforcement §5, §6).
 *
 * @param tree `asset-attributes-filter`; without one there is no condition
 * @throws ServiceError `decision-not-understood`
 */
export function readCondition(tree: unknown, settings: ConditionSettings, place: Place): Condition {
  if (tree === undefined || tree === null) return ALWAYS;
  const group = groupSchema.safeParse(tree);
  if (!group.success) return readComparison(readLeaf(tree, place), settings, place);
  const { kind, key, of } = group.data;
  return { kind, of: of.map((part, i) => readCondition(part ?? {}, settings, [...place, key, i])) };
}

function readComparison(leaf: LeafAnswer, settings: ConditionSettings, place: Place): Condition {
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
    paths: comparesPaths ? leaf.values.map((value, i) => readPath(value, [...place, 'values', i])) : [],
    written: { attribute: leaf.attribute, operator: leaf.operator },
    values: leaf.values,
    key: JSON.stringify([leaf.attribute, leaf.type, leaf.operator, leaf.values, leaf.match]),
  };
}

function comparisonOf(leaf: LeafAnswer, operator: Operator, place: Place): Comparison {
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

function typeOf(name: string, place: Place): ValueType {
  return read(z.enum(VALUE_TYPES), name.toUpperCase(), [...place, 'type']);
}

function everyValue(match: string, place: Place): boolean {
  return read(z.enum(['ANY', 'ALL']), match.toUpperCase(), [...place, 'match']) === 'ALL';
}
