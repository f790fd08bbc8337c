import type { Operator } from '../../../core/index.ts';
import { parseOperator, type Comparison } from '../../policies/index.ts';

/** What each operator asks. */
const OPERATORS: Readonly<Record<Comparison['operator'], Operator>> = {
  EQUALS: { relation: 'equals', negated: false },
  NOTEQUALS: { relation: 'equals', negated: true },
  IN: { relation: 'equals', negated: false },
  NOT_IN: { relation: 'equals', negated: true },
  LESS: { relation: 'less', negated: false },
  LESS_EQUALS: { relation: 'lessOrEqual', negated: false },
  GREATER: { relation: 'greater', negated: false },
  GREATER_EQUALS: { relation: 'greaterOrEqual', negated: false },
  CONTAINS: { relation: 'contains', negated: false },
  NOT_CONTAINS: { relation: 'contains', negated: true },
  STARTS_WITH: { relation: 'startsWith', negated: false },
  ENDS_WITH: { relation: 'endsWith', negated: false },
};

/** By the names that PDPs write most often. */
const BY_NAME: ReadonlyMap<string, Operator> = new Map(Object.entries(OPERATORS));

/** The operator of that name, in any spelling that policy files have. */
export function operatorNamed(name: string): Operator | undefined {
  const known = BY_NAME.get(name);
  if (known) return known;
  const operator = parseOperator(name);
  return operator && OPERATORS[operator];
}
