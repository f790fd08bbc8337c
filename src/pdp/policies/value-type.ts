import { parseDecimal, parseInstant, type ValueType } from '../../core/index.ts';
import { relationOf, type Operator } from './operators.ts';

interface TypeReader {
  readonly reads: (text: string) => boolean;
  /** What a value of the type looks like, in words. */
  readonly form: string;
}

/** An integer may be written `1.0` or `1e2` (docs/enforcement.md#conditions). */
export const INTEGER = /^-?(?:0|[1-9]\d*)(?:\.0+)?(?:[eE]\+?\d+)?$/;
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
export function formOf(type: ValueType): string {
  return READERS[type].form;
}
