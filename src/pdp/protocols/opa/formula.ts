import {
  Comparison,
  ValueError,
  type Condition,
  type Leaf,
  type Path,
  type Relation,
  type ValueType,
} from '../../../core/index.ts';
import { notUnderstood, type Place } from '../../decisions/index.ts';

/** A comparison of a field with values, any of which has to fit; or its opposite. */
export interface FieldComparison {
  readonly kind: 'comparison';
  readonly field: string;
  readonly path: Path;
  readonly relation: Relation;
  readonly type: ValueType;
  readonly values: readonly string[];
  readonly isNegated: boolean;
  /** Of the values in the answer. */
  readonly place: Place;
}

/** What a condition says; what is negated in it is negated at its comparisons. */
export type Formula =
  | { readonly kind: 'all'; readonly of: readonly Formula[] }
  | { readonly kind: 'any'; readonly of: readonly Formula[] }
  | FieldComparison;

/** That the fields of a formula are present, each once, and that the formula holds. */
export function ofPresentFields(formula: Formula): Formula {
  const fields = new Map<string, FieldComparison>();
  addFields(formula, fields);
  return { kind: 'all', of: [...Array.from(fields.values(), present), formula] };
}

export function present(about: Pick<FieldComparison, 'field' | 'path' | 'place'>): FieldComparison {
  const { field, path, place } = about;
  return {
    kind: 'comparison',
    field,
    path,
    relation: 'present',
    type: 'STRING',
    values: [''],
    isNegated: false,
    place,
  };
}

function addFields(formula: Formula, fields: Map<string, FieldComparison>): void {
  if (formula.kind !== 'comparison') for (const part of formula.of) addFields(part, fields);
  else if (!fields.has(formula.field)) fields.set(formula.field, formula);
}

/**
 * The condition on records that a formula is.
 *
 * @throws ServiceError `decision-not-understood` if values do not fit the comparison
 */
export function conditionFrom(formula: Formula): Condition {
  if (formula.kind !== 'comparison') return { kind: formula.kind, of: formula.of.map(conditionFrom) };
  const { field, path, relation, type, values, isNegated } = formula;
  const leaf: Leaf = {
    kind: 'leaf',
    subject: 'record',
    comparison: comparisonFrom(formula),
    attribute: { path, isAnchored: false },
    paths: [],
    written: { attribute: field, operator: operatorOf(formula) },
    values,
    key: JSON.stringify(['ucast', field, relation, type, values, isNegated]),
  };
  return leaf;
}

/** The operators of UCAST that compare a field with one value. */
export const OPERATORS: readonly (readonly [relation: Relation, operator: string])[] = [
  ['equals', 'eq'],
  ['less', 'lt'],
  ['lessOrEqual', 'lte'],
  ['greater', 'gt'],
  ['greaterOrEqual', 'gte'],
  ['contains', 'contains'],
  ['startsWith', 'startswith'],
  ['endsWith', 'endswith'],
];
const operatorBy: ReadonlyMap<Relation, string> = new Map(OPERATORS);

/** An operator as UCAST writes it, for explanations. */
function operatorOf({ relation, values, isNegated }: FieldComparison): string {
  const operator = operatorBy.get(relation) ?? relation;
  if (relation !== 'equals') return isNegated ? `not ${operator}` : operator;
  if (values.length > 1) return isNegated ? 'nin' : 'in';
  return isNegated ? 'ne' : 'eq';
}

function comparisonFrom({ relation, type, values, isNegated, place }: FieldComparison): Comparison {
  try {
    return new Comparison({ relation, negated: isNegated }, type, values, false);
  } catch (error) {
    if (error instanceof ValueError) throw notUnderstood(error.message, place);
    throw error;
  }
}
