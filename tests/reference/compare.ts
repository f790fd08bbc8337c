import { compareInstants, readInstant, type Instant } from './instant.ts';

/** The types of a condition's values (docs/enforcement.md#conditions). */
export const VALUE_TYPES = ['STRING', 'INTEGER', 'NUMBER', 'BOOLEAN', 'DATE', 'DATETIME'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** sign · 0.digits · 10^exponent, with neither leading nor trailing zeros among the digits. */
interface Decimal {
  readonly sign: -1n | 0n | 1n;
  readonly digits: string;
  readonly exponent: bigint;
}

export function readsAs(type: ValueType, text: string): boolean {
  return compareAs(type, text, text) !== undefined;
}

/** Below, at or above zero as one text is before, equal to or after another; undefined if one does not read as the type. */
export function compareAs(type: ValueType, one: string, other: string): number | undefined {
  if (type === 'STRING') return order(one, other);
  if (type === 'BOOLEAN') return compareRead(readBoolean, order, one, other);
  if (type === 'INTEGER' || type === 'NUMBER') return compareRead(readDecimal, compareDecimals, one, other);
  return compareRead<Instant>(readInstant, compareInstants, one, other);
}

function compareRead<T>(
  read: (text: string) => T | undefined,
  compare: (left: T, right: T) => number,
  one: string,
  other: string,
): number | undefined {
  const left = read(one);
  const right = read(other);
  return left === undefined || right === undefined ? undefined : compare(left, right);
}

function order<T>(left: T, right: T): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function readBoolean(text: string): string | undefined {
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : undefined;
}

const DECIMAL =
  /^(?<minus>-?)(?<whole>0|[1-9][0-9]*)(?:\.(?<fraction>[0-9]+))?(?:[eE](?<power>[+-]?[0-9]+))?$/;

function readDecimal(text: string): Decimal | undefined {
  const groups = DECIMAL.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { minus, whole = '', fraction = '', power = '0' } = groups;
  const written = whole + fraction;
  const significant = written.replace(/^0+/, '');
  if (significant === '') return { sign: 0n, digits: '', exponent: 0n };
  const exponent =
    BigInt(power.replace('+', '')) + BigInt(whole.length - (written.length - significant.length));
  return { sign: minus === '-' ? -1n : 1n, digits: significant.replace(/0+$/, ''), exponent };
}

function compareDecimals(left: Decimal, right: Decimal): number {
  if (left.sign !== right.sign) return order(left.sign, right.sign);
  const magnitude = order(left.exponent, right.exponent) || order(left.digits, right.digits);
  return magnitude * Number(left.sign);
}
