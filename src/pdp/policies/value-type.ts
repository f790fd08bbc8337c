import { parseDecimal, parseInstant, type ValueType } from '../../core/index.ts';
import { relationOf, type Operator } from './operators.ts';
import type { Comparison } from './policy.ts';

interface TypeReader {
  readonly reads: (text: string) => boolean;
  /** What a value of the type looks like, in words. */
  readonly form: string;
}

const INTEGER = /^-?\d+$/;
const isInstant = (text: string): boolean => parseInstant(text) !== undefined;

const READERS: Readonly<Record<ValueType, TypeReader>> = {
  STRING: { reads: () => true, form: 'text' },
  INTEGER: { reads: (text) => INTEGER.test(text), form: 'a whole number' },
  NUMBER: { reads: (text) => parseDecimal(text) !== undefined, form: 'a number' },
  BOOLEAN: { reads: (text) => /^(?:true|false)$/iu.test(text), form: 'true or false' },
  DATE: { reads: isInstant, form: 'a date such as 2026-01-31' },
  DATETIME: { reads: isInstant, form: 'a date and time such as 2026-01-31T09:30:00Z' },
};

/**
 * Whether an attribute of a type can be compared with a text (docs/enforcement.md#conditions). In texts, parts are
 * compared too.
 */
export function isComparable(type: ValueType, operator: Operator, text: string): boolean {
  return relationOf(operator) === 'text' || READERS[type].reads(text);
}

/** What a value of a type looks like, in words. */
function formOf(type: ValueType): string {
  return READERS[type].form;
}

interface TypeProblem {
  /** In the comparison. */
  readonly place: readonly (string | number)[];
  readonly message: string;
}

/** Which parts of a comparison do not go with its type. */
export function typeProblems({
  type,
  operator: compared,
  values,
}: Pick<Comparison, 'type' | 'operator' | 'values'>): readonly TypeProblem[] {
  const problems: TypeProblem[] = [];
  if (type === 'BOOLEAN' && relationOf(compared) === 'order')
    problems.push({ place: ['operator'], message: 'has no meaning for BOOLEAN, which has no order' });
  for (const [i, one] of values.entries()) {
    const message = typeof one === 'string' ? problemWith(one, type, compared) : undefined;
    if (message !== undefined) problems.push({ place: ['values', i], message });
  }
  return problems;
}

function problemWith(value: string, type: ValueType, compared: Operator): string | undefined {
  if (value === '' && relationOf(compared) === 'text')
    return 'must not be empty: every text has an empty part';
  return isComparable(type, compared, value) ? undefined : `must be ${formOf(type)}`;
}
