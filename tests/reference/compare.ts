/** The types of a condition's values (enforcement §6, conditions). */
export const VALUE_TYPES = ['STRING', 'INTEGER', 'NUMBER', 'BOOLEAN', 'DATE', 'DATETIME'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** A value as its type reads it; values of one type have an order. */
type Readable = string | bigint | Decimal;

/** sign · 0.digits · 10^exponent, with neither leading nor trailing zeros among the digits. */
interface Decimal {
  readonly sign: -1n | 0n | 1n;
  readonly digits: string;
  readonly exponent: bigint;
}

export function readsAs(type: ValueType, text: string): boolean {
  return read(type, text) !== undefined;
}

/** Below, at or above zero as one text is before, equal to or after another; undefined where one does not read as the type. */
export function compareAs(type: ValueType, one: string, other: string): number | undefined {
  const left = read(type, one);
  const right = read(type, other);
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === 'object' && typeof right === 'object') return compareDecimals(left, right);
  return order(left, right);
}

function read(type: ValueType, text: string): Readable | undefined {
  if (type === 'STRING') return text;
  if (type === 'INTEGER' || type === 'NUMBER') return readDecimal(text);
  if (type === 'DATE' || type === 'DATETIME') return readInstant(text);
  return text === 'true' || text === 'false' ? text : undefined;
}

function order<T>(left: T, right: T): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
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

const INSTANT =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d+))?)?(?<offset>Z|[+-]\d{2}:?\d{2})?)?$/;

/** Nanoseconds since 1970; a time without an offset is UTC. */
function readInstant(text: string): bigint | undefined {
  const groups = INSTANT.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { date = '', hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z' } = groups;
  const written = `${date}T${hour}:${minute}:${second}`;
  const milliseconds = Date.parse(`${written}Z`);
  const exists = !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(written);
  if (!exists) return undefined;
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return BigInt(milliseconds) * 1_000_000n + nanoseconds - offsetNanoseconds(offset);
}

function offsetNanoseconds(offset: string): bigint {
  if (offset === 'Z') return 0n;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return BigInt(offset.startsWith('-') ? -minutes : minutes) * 60_000_000_000n;
}
