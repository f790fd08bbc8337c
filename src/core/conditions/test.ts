import type { Located, Node } from '../json/located.ts';
import { stringAt } from '../json/text.ts';
import { UNREADABLE, type AttributeValue } from '../paths/attribute.ts';
import { NameIndex } from '../paths/name-index.ts';
import { compareDecimals, compareTexts, parseDecimal } from './decimal.ts';
import { parseInstant } from './instant.ts';

/** The types that a condition can compare as (enforcement §5, §6). */
export const VALUE_TYPES = ['STRING', 'INTEGER', 'NUMBER', 'BOOLEAN', 'DATE', 'DATETIME'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

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

/** An operator: a relation, or its opposite. */
export interface Operator {
  readonly relation: Relation;
  readonly negated: boolean;
}

/** A value as its type has it: less than, equal to or greater than another of the same type. */
interface Comparable {
  compare(text: string): number | undefined;
}

/** The condition's own values do not fit its operator or type, so what it asks is unknown. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

/** What a condition asks of an attribute (enforcement §6, "Conditions"). */
export class Test {
  readonly operator: Operator;
  private readonly everyValue: boolean;
  private readonly fitsOne: readonly ((text: string) => boolean)[];
  private readonly equals: ReadonlySet<string> | undefined;
  /** The same, found where a string stands in a text; made when it is asked for first. */
  private spelt: NameIndex<true> | undefined;

  /**
   * @param operator what is asked
   * @param type what the values are compared as
   * @param values what the attribute is compared with: one of them has to fit
   * @param everyValue whether it is asked of every value of the attribute rather than of any
   * @throws ValueError where a value does not read as the type, or the type has no such relation
   */
  constructor(operator: Operator, type: ValueType, values: readonly string[], everyValue: boolean) {
    this.operator = operator;
    this.everyValue = everyValue;
    const { relation } = operator;
    this.equals = relation === 'equals' && type === 'STRING' ? new Set(values) : undefined;
    this.fitsOne = this.equals ? [] : values.map((value) => fitting(relation, type, value));
  }

  /** Whether an attribute with these values passes; without values it is absent or null. */
  holds(values: readonly AttributeValue[]): boolean {
    const { negated } = this.operator;
    if (values.length === 0) return negated;
    const fits = (value: AttributeValue) => value !== UNREADABLE && this.fits(value);
    if (negated) return !values.some(fits);
    return this.everyValue ? values.every(fits) : values.some(fits);
  }

  /** Whether an attribute passes whose one value is a string that stands in a text. */
  holdsForString(doc: Located, node: Node): boolean {
    if (this.equals) this.spelt ??= indexOf(this.equals);
    const fits = this.spelt ? this.spelt.get(doc, node) === true : this.fits(stringAt(doc, node));
    return fits !== this.operator.negated;
  }

  /** Whether the relation, never its opposite, holds between a text and one of the test's values. */
  fits(text: string): boolean {
    return this.equals ? this.equals.has(text) : this.fitsOne.some((fitsValue) => fitsValue(text));
  }
}

function indexOf(texts: Iterable<string>): NameIndex<true> {
  const index = new NameIndex<true>();
  for (const text of texts) index.set(text, true);
  return index;
}

function fitting(relation: Relation, type: ValueType, value: string): (text: string) => boolean {
  switch (relation) {
    case 'present':
      return () => true;
    case 'contains':
      return (text) => text.includes(value);
    case 'startsWith':
      return (text) => text.startsWith(value);
    case 'endsWith':
      return (text) => text.endsWith(value);
    default:
      return comparing(relation, type, value);
  }
}

function comparing(
  relation: Exclude<Relation, 'contains' | 'startsWith' | 'endsWith' | 'present'>,
  type: ValueType,
  value: string,
): (text: string) => boolean {
  if (type === 'BOOLEAN' && relation !== 'equals') throw new ValueError('booleans have no order');
  const comparable = comparableFrom(type, value);
  const accepts = ACCEPTED_ORDER[relation];
  return (text) => {
    const order = comparable.compare(text);
    return order !== undefined && accepts(order);
  };
}

const ACCEPTED_ORDER = {
  equals: (order: number) => order === 0,
  less: (order: number) => order < 0,
  lessOrEqual: (order: number) => order <= 0,
  greater: (order: number) => order > 0,
  greaterOrEqual: (order: number) => order >= 0,
};

function comparableFrom(type: ValueType, value: string): Comparable {
  switch (type) {
    case 'STRING':
      return { compare: (text) => compareTexts(text, value) };
    case 'INTEGER':
    case 'NUMBER':
      return comparableBy(type, value, parseDecimal, compareDecimals);
    case 'BOOLEAN':
      return comparableBy(type, value, parseBoolean, (a, b) => Number(a) - Number(b));
    case 'DATE':
    case 'DATETIME':
      return comparableBy(type, value, parseInstant, (a, b) => (a < b ? -1 : Number(a > b)));
  }
}

function comparableBy<T>(
  type: ValueType,
  value: string,
  parse: (text: string) => T | undefined,
  compare: (a: T, b: T) => number,
): Comparable {
  const own = parse(value);
  if (own === undefined) throw new ValueError(`a value does not read as ${type}`);
  return {
    compare: (text) => {
      const other = parse(text);
      return other === undefined ? undefined : compare(other, own);
    },
  };
}

function parseBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
}
