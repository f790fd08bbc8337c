import {
  Comparison,
  VALUE_TYPES,
  ValueError,
  type AttributePath,
  type Condition,
  type Operator,
  type ComparedPart,
  type Leaf,
  type Path,
  type ValueType,
} from '../../../core/index.ts';
import { notUnderstood, readAt, within, type JsonPointer } from '../not-understood.ts';
import { says } from '../recognized-parts.ts';
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
  return readTree(tree, settings, () => place);
}

function readTree(tree: unknown, settings: ConditionSettings, place: () => JsonPointer): Condition {
  const group = groupIn(tree);
  if (group === undefined) return readAt(place, (at) => conditionOn(readLeaf(tree, at), settings, at));
  const { kind, key, of } = group;
  return { kind, of: of.map((part, i) => readTree(part ?? {}, settings, () => [...place(), key, i])) };
}

interface Group {
  readonly kind: 'all' | 'any';
  readonly key: 'AND' | 'OR';
  readonly of: readonly unknown[];
}

/** An object with one list and nothing else. PDPs that have one class for leaves and groups write null for what a group has not. */
function groupIn(tree: unknown): Group | undefined {
  if (!isObject(tree)) return undefined;
  const { AND, OR } = tree;
  if (!isList(AND) && !isList(OR)) return undefined;
  if (Object.keys(tree).filter((name) => says(tree, name)).length > 1) return undefined;
  if (isList(AND)) return { kind: 'all', key: 'AND', of: AND };
  return isList(OR) ? { kind: 'any', key: 'OR', of: OR } : undefined;
}

const LEAF_MEMBERS: ReadonlySet<string> = new Set(['attribute', 'type', 'operator', 'values', 'match']);

function readLeaf(value: unknown, place: JsonPointer): LeafAnswer {
  const leaf = asObject(value, place);
  for (const name in leaf)
    if (!LEAF_MEMBERS.has(name) && says(leaf, name))
      throw notUnderstood('an unknown member', [...place, name]);
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
  if (!operator) throw notUnderstood('an unknown operator', within(place, 'operator'));
  const subject = subjectOf(leaf.attribute, settings);
  const comparison = comparisonOf(leaf, operator, place);
  const comparesPaths = subject !== 'record' && operator.relation === 'equals';
  return new WrittenLeaf(
    leaf,
    subject,
    comparison,
    subject === 'record' ? readAttributePath(leaf.attribute, within(place, 'attribute')) : NO_ATTRIBUTE,
    comparesPaths ? readPaths(leaf.values, within(place, 'values')) : NO_PATHS,
  );
}

/** A leaf as a decision writes it. */
class WrittenLeaf implements Leaf {
  readonly kind = 'leaf';
  readonly subject: ComparedPart;
  readonly comparison: Comparison;
  readonly attribute: AttributePath;
  readonly paths: readonly Path[];
  private readonly answer: LeafAnswer;
  private madeKey: string | undefined;

  constructor(
    answer: LeafAnswer,
    subject: ComparedPart,
    comparison: Comparison,
    attribute: AttributePath,
    paths: readonly Path[],
  ) {
    this.subject = subject;
    this.comparison = comparison;
    this.attribute = attribute;
    this.paths = paths;
    this.answer = answer;
  }

  get written(): Leaf['written'] {
    return { attribute: this.answer.attribute, operator: this.answer.operator };
  }

  get values(): readonly string[] {
    return this.answer.values;
  }

  get key(): string {
    const { attribute, type, operator, values, match } = this.answer;
    this.madeKey ??= JSON.stringify([attribute, type, operator, values, match]);
    return this.madeKey;
  }
}

function comparisonOf(leaf: LeafAnswer, operator: Operator, place: JsonPointer): Comparison {
  try {
    return new Comparison(
      operator,
      typeOf(leaf.type ?? 'STRING', place),
      leaf.values,
      leaf.match !== undefined && everyValue(leaf.match, place),
    );
  } catch (error) {
    if (error instanceof ValueError) throw notUnderstood(error.message, within(place, 'values'));
    throw error;
  }
}

const NO_PATHS: readonly Path[] = [];
const NO_ATTRIBUTE: AttributePath = { path: [], isAnchored: false };

function subjectOf(attribute: string, { attrName, object }: ConditionSettings): ComparedPart {
  if (attribute === attrName) return 'property';
  return attribute === object ? 'prefix' : 'record';
}

function typeOf(name: string, place: JsonPointer): ValueType {
  return name === 'STRING' ? name : asOneOf(VALUE_TYPES, name, 'type', place);
}

function everyValue(match: string, place: JsonPointer): boolean {
  return asOneOf(['ANY', 'ALL'], match, 'match', place) === 'ALL';
}
