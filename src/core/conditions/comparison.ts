import _ from 'lodash';
import type { JsonDocument, Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';
import { UNREADABLE, type AttributeValue } from '../paths/attribute.ts';
import { NameIndex } from '../paths/name-index.ts';
import { Occurrences } from '../paths/occurrences.ts';
import { Trie } from '../paths/trie.ts';
import { beginningsOf, type Beginning } from './beginning.ts';
import { compareDecimals, compareTexts, decimalKeyOf, parseDecimal } from './decimal.ts';
import { compareInstants, instantKey, parseInstant } from './instant.ts';

/** The types that a condition can compare as (docs/enforcement.md#conditions). */
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

/** What is equal to one of the values: equal texts have the same key. */
export interface Equality {
  readonly keys: ReadonlySet<string>;
  /** @returns undefined if the text does not read as the type */
  keyOf(text: string): string | undefined;
}

/** Whether a relation holds between a text and one of the values; undefined if the text does not read as the type. */
type Match = (text: string) => boolean | undefined;

/** The condition's own values do not fit its operator or type, so what it asks is unknown. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

/** What a condition asks of an attribute (docs/enforcement.md#conditions). */
export class Comparison {
  readonly operator: Operator;
  readonly type: ValueType;
  /** For an operator of equality. */
  readonly equality: Equality | undefined = undefined;
  private readonly everyValue: boolean;
  private readonly match: Match;
  /** The same texts, found by their bytes in a document; made when it is first needed. */
  private spelt: NameIndex<true> | undefined;
  private readonly beginnings: () => (text: string) => Beginning;

  /**
   * @param operator what is asked
   * @param type what the values are compared as
   * @param values what the attribute is compared with: one of them has to fit
   * @param everyValue whether every value of the attribute has to fit, rather than any
   * @throws ValueError if a value does not read as the type, or the type has no such relation
   */
  constructor(operator: Operator, type: ValueType, values: readonly string[], everyValue: boolean) {
    this.operator = operator;
    this.type = type;
    this.everyValue = everyValue;
    const { relation } = operator;
    this.beginnings = _.once(() => beginningsOf(operator, type, values));
    if (relation === 'equals') {
      this.equality = equalityOf(type, values);
      this.match = equalTo(this.equality);
    } else this.match = matching(relation, type, values);
  }

  /**
   * Whether an attribute with these values passes; without values it is absent or null.
   *
   * @param onUnreadable called for each value that does not read as the type, and so never matches
   */
  holds(values: readonly AttributeValue[], onUnreadable = ignore): boolean {
    const { negated } = this.operator;
    if (values.length === 0) return negated;
    const fits = (value: AttributeValue) => value !== UNREADABLE && this.fits(value, onUnreadable);
    if (negated) return !values.some(fits);
    return this.everyValue ? values.every(fits) : values.some(fits);
  }

  /** Whether an attribute passes whose values are in two lists, by whether each of them alone does; neither is empty. */
  together(one: boolean, other: boolean): boolean {
    return this.operator.negated || this.everyValue ? one && other : one || other;
  }

  /** Whether an attribute passes whose only value is a string in a document. */
  holdsForString(doc: JsonDocument, node: Node, onUnreadable = ignore): boolean {
    if (this.equality && this.type === 'STRING') this.spelt ??= indexOf(this.equality.keys);
    const fits = this.spelt
      ? this.spelt.get(doc, node) === true
      : this.fits(stringAt(doc, node), onUnreadable);
    return fits !== this.operator.negated;
  }

  /** Whether the relation, never its opposite, holds between a text and one of the values. */
  fits(text: string, onUnreadable = ignore): boolean {
    const matches = this.match(text);
    if (matches === undefined) onUnreadable();
    return matches === true;
  }

  /** What matters of a text for the relation, never its opposite, if more may follow. */
  beginningOf(text: string): Beginning {
    return this.beginnings()(text);
  }
}

function ignore(): void {
  // Nobody counts.
}

function indexOf(texts: Iterable<string>): NameIndex<true> {
  const index = new NameIndex<true>();
  for (const text of texts) index.set(text, true);
  return index;
}

function matching(relation: Exclude<Relation, 'equals'>, type: ValueType, values: readonly string[]): Match {
  switch (relation) {
    case 'present':
      return () => true;
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return values.length > FEW ? findingAny(relation, values) : findingEach(relation, values);
    default:
      return comparing(relation, type, values);
  }
}

type Part = 'contains' | 'startsWith' | 'endsWith';

/** So many values are looked for one by one; more are looked for together. */
const FEW = 8;

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

type Order = 'less' | 'lessOrEqual' | 'greater' | 'greaterOrEqual';

function comparing(relation: Order, type: ValueType, values: readonly string[]): Match {
  const accepts = ACCEPTED_ORDER[relation];
  switch (type) {
    case 'STRING':
      return (text) => values.some((value) => accepts(compareTexts(text, value)));
    case 'INTEGER':
    case 'NUMBER':
      return comparingAs(type, values, parseDecimal, (a, b) => accepts(compareDecimals(a, b)));
    case 'BOOLEAN':
      throw new ValueError('booleans have no order');
    case 'DATE':
    case 'DATETIME':
      return comparingAs(type, values, parseInstant, (a, b) => accepts(compareInstants(a, b)));
  }
}

const ACCEPTED_ORDER = {
  less: (order: number) => order < 0,
  lessOrEqual: (order: number) => order <= 0,
  greater: (order: number) => order > 0,
  greaterOrEqual: (order: number) => order >= 0,
};

function comparingAs<T>(
  type: ValueType,
  values: readonly string[],
  parse: (text: string) => T | undefined,
  fits: (a: T, b: T) => boolean,
): Match {
  const own = parseAll(type, values, parse);
  return (text) => {
    const other = parse(text);
    return other === undefined ? undefined : own.some((value) => fits(other, value));
  };
}

function equalityOf(type: ValueType, values: readonly string[]): Equality {
  switch (type) {
    case 'STRING':
      return { keys: new Set(values), keyOf: (text) => text };
    case 'INTEGER':
    case 'NUMBER':
      return equalAs(type, values, decimalKeyOf);
    case 'BOOLEAN':
      return equalAs(type, values, booleanKeyOf);
    case 'DATE':
    case 'DATETIME':
      return equalAs(type, values, instantKeyOf);
  }
}

/** @param keyOf the same text for equal values */
function equalAs(type: ValueType, values: readonly string[], keyOf: Equality['keyOf']): Equality {
  return { keys: new Set(parseAll(type, values, keyOf)), keyOf };
}

function booleanKeyOf(text: string): string | undefined {
  const word = text.toLowerCase();
  return word === 'true' || word === 'false' ? word : undefined;
}

function instantKeyOf(text: string): string | undefined {
  const instant = parseInstant(text);
  return instant && instantKey(instant);
}

function equalTo(equality: Equality): Match {
  return (text) => {
    const key = equality.keyOf(text);
    return key === undefined ? undefined : equality.keys.has(key);
  };
}

function parseAll<T>(
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
