import _ from 'lodash';
import { Occurrences } from '../paths/occurrences.ts';
import { Trie } from '../paths/trie.ts';
import { compareDecimals, compareTexts, parseDecimal } from './decimal.ts';
import { keyOf } from './equality.ts';
import { compareInstants, parseInstant } from './instant.ts';
import { secondsOf } from './short-instant.ts';
import { doubleOf } from './short-number.ts';
import { isNumeric, type ValueType } from './value-type.ts';

/** What a condition asks of a value and one of the values that it names. */
export type Relation =
  | 'equals'
  | 'less'
  | 'lessOrEqual'
  | 'greater'
  | 'greaterOrEqual'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  /** The attribute has a value: it is neither absent nor null. What it is compared with does not matter. */
  | 'present';

/** Compares numbers of few digits without decoding them. */
export type NumberMatch = (number: number) => boolean;

/** Whether a relation holds between a text and one of the values; undefined if the text does not read as the type. */
export type Match = (text: string) => boolean | undefined;

/** The condition's own values do not fit its operator or type, so what it asks is unknown. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

export function matching(
  relation: Exclude<Relation, 'equals'>,
  type: ValueType,
  values: readonly string[],
): Match {
  switch (relation) {
    case 'present':
      return () => true;
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return canBeSearched(relation, values) ? findingEach(relation, values) : findingAny(relation, values);
    default:
      return comparing(relation, type, values);
  }
}

type Part = 'contains' | 'startsWith' | 'endsWith';

/** Up to this many values are searched one by one, more of them together. */
const FEW = 8;
/** Values of more characters than this together are not looked for one by one: `includes` may compare all of them at each place. */
const MAX_SEARCHED = 256;

/** Whether values are searched one by one. At the start and the end of a text, each is compared once, however long it is. */
function canBeSearched(part: Part, values: readonly string[]): boolean {
  return values.length <= FEW && (part !== 'contains' || areShort(values));
}

/** Whether values can be looked for one by one at each place of a text. */
export function areShort(values: readonly string[]): boolean {
  return values.reduce((length, value) => length + value.length, 0) <= MAX_SEARCHED;
}

function findingEach(relation: Part, values: readonly string[]): Match {
  switch (relation) {
    case 'contains':
      return (text) => values.some((value) => text.includes(value));
    case 'startsWith':
      return (text) => values.some((value) => text.startsWith(value));
    case 'endsWith':
      return (text) => values.some((value) => text.endsWith(value));
  }
}

/** Reads the text once, however many values there are. */
function findingAny(relation: Part, values: readonly string[]): Match {
  const find = _.once(() => finderOf(relation, values));
  return values.includes('') ? () => true : (text) => find()(text);
}

function finderOf(relation: Part, values: readonly string[]): (text: string) => boolean {
  if (relation === 'contains') {
    const occurrences = new Occurrences(values);
    return (text) => occurrences.areIn(text);
  }
  const trie = new Trie();
  const isFromStart = relation === 'startsWith';
  for (const value of values) trie.add(isFromStart ? value : reversed(value));
  return (text) =>
    trie.beginsAny(
      text.length,
      isFromStart ? (at) => text.charCodeAt(at) : (at) => text.charCodeAt(text.length - 1 - at),
    );
}

/** By UTF-16 code units. */
function reversed(text: string): string {
  return Array.from({ length: text.length }, (_unit, at) => text.charAt(text.length - 1 - at)).join('');
}

export type Order = 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';

function comparing(relation: Order, type: ValueType, values: readonly string[]): Match {
  switch (type) {
    case 'STRING':
      return comparingWith(relation, values, (text) => text, compareTexts);
    case 'INTEGER':
    case 'NUMBER':
      return comparingWith(relation, parseAll(type, values, parseDecimal), parseDecimal, compareDecimals);
    case 'BOOLEAN':
      throw new ValueError('booleans have no order');
    case 'DATE':
    case 'DATETIME':
      return comparingWith(relation, parseAll(type, values, parseInstant), parseInstant, compareInstants);
  }
}

const ACCEPTED_ORDER = {
  less: (order: number) => order < 0,
  lessOrEqual: (order: number) => order <= 0,
  greater: (order: number) => order > 0,
  greaterOrEqual: (order: number) => order >= 0,
};

function comparingWith<T>(
  relation: Order,
  values: readonly T[],
  parse: (text: string) => T | undefined,
  compare: (a: T, b: T) => number,
): Match {
  const accepts = ACCEPTED_ORDER[relation];
  const bound = mostGenerous(relation, values, compare);
  return (text) => {
    const other = parse(text);
    return other === undefined ? undefined : bound !== undefined && accepts(compare(other, bound));
  };
}

/** Of several values, one fits if this does: the greatest if less is asked for, and the least otherwise. */
export function mostGenerous<T>(
  relation: Order,
  values: readonly T[],
  compare: (a: T, b: T) => number,
): T | undefined {
  const sign = asksForLess(relation) ? 1 : -1;
  let bound = values[0];
  for (const value of values) if (bound !== undefined && sign * compare(value, bound) > 0) bound = value;
  return bound;
}

/** Compares instants by their seconds, without decoding them ({@link secondsOf}). */
export function instantsOrderedBy(
  relation: Order,
  type: ValueType,
  values: readonly string[],
): NumberMatch | undefined {
  return orderedBy(relation, parseAll(type, values, parseInstant).map(secondsOf));
}

/** @returns undefined if numbers of few digits have to be compared as all others */
export function numbersOrderedBy(
  relation: Exclude<Relation, 'equals'>,
  type: ValueType,
  values: readonly string[],
): NumberMatch | undefined {
  if (!isOrder(relation) || !isNumeric(type)) return undefined;
  return orderedBy(relation, values.map(doubleIn));
}

function orderedBy(relation: Order, own: readonly number[]): NumberMatch | undefined {
  const bound = mostGenerous(relation, own, (a, b) => a - b);
  if (bound === undefined || own.some((value) => Number.isNaN(value))) return undefined;
  const accepts = ACCEPTED_ORDER[relation];
  return (number) => accepts(number - bound);
}

/** Whether an order holds for all values below one for which it holds. */
export function asksForLess(relation: Order): boolean {
  return relation === 'less' || relation === 'lessOrEqual';
}

export function isOrder(relation: Relation): relation is Order {
  return relation in ACCEPTED_ORDER;
}

/** @returns NaN if no number of few digits is equal to it */
function doubleIn(text: string): number {
  const decimal = parseDecimal(text);
  return decimal ? doubleOf(decimal) : NaN;
}

export function equalTo(type: ValueType, keys: ReadonlySet<string>): Match {
  return (text) => {
    const key = keyOf(type, text);
    return key === undefined ? undefined : keys.has(key);
  };
}

export function parseAll<T>(
  type: ValueType,
  values: readonly string[],
  parse: (text: string) => T | undefined,
): readonly T[] {
  return values.map((value) => {
    const parsed = parse(value);
    if (parsed === undefined) throw new ValueError(`a value does not read as ${type}`);
    return parsed;
  });
}
