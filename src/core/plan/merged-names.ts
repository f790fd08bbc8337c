import _ from 'lodash';
import type { Condition, Leaf } from '../conditions/condition.ts';

/**
 * The same condition, in which leaves that name properties, of which any may hold, are one leaf with all of their values; so are
 * negated ones of which all have to hold.
 */
export function mergedNames(condition: Condition): Condition {
  if (condition.kind === 'leaf') return condition;
  const parts = condition.of.map(mergedNames);
  const isNegated = condition.kind === 'all';
  const [alike, others] = _.partition(parts, (part): part is Leaf => namesProperties(part, isNegated));
  const merged = Object.values(_.groupBy(alike, 'subject')).map(merge);
  return { kind: condition.kind, of: [...others, ...merged] };
}

function namesProperties(condition: Condition, isNegated: boolean): condition is Leaf {
  if (condition.kind !== 'leaf' || condition.subject === 'record') return false;
  const { relation, negated } = condition.comparison.operator;
  return relation === 'equals' && negated === isNegated && condition.paths.length > 0;
}

function merge(leaves: readonly Leaf[]): Leaf {
  const [first, ...others] = leaves;
  if (first === undefined) throw new Error('no leaf to merge');
  if (others.length === 0) return first;
  return {
    ...first,
    paths: leaves.flatMap(({ paths }) => paths),
    values: leaves.flatMap(({ values }) => values),
    key: '',
  };
}
