import { relationOf } from './operators.ts';
import { comparisonsIn, type Comparison, type Policy } from './policy.ts';
import { isComparable } from './value-type.ts';

/** Whether a condition of a policy orders texts by numbers: as text, 9 is greater than 18. */
export function ordersNumbersAsText({ when }: Policy): boolean {
  return when !== undefined && comparisonsIn(when).some(isOrderOfNumbers);
}

function isOrderOfNumbers({ operator, type, values }: Comparison): boolean {
  if (type !== 'STRING' || relationOf(operator) !== 'order') return false;
  return values.every((value) => typeof value === 'string' && isComparable('NUMBER', operator, value));
}
