import _ from 'lodash';
import { Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { scalarTextAt } from '../json/text.ts';
import { UNREADABLE, type AttributeValue, type FoundValue } from '../paths/attribute.ts';
import { Occurrences } from '../paths/occurrences.ts';
import { Trie } from '../paths/trie.ts';
import { beginningsOf, type Beginning } from './beginning.ts';
import { compareDecimals, compareTexts, parseDecimal } from './decimal.ts';
import { EqualityIndex, keyOf } from './equality.ts';
import { compareInstants, parseInstant } from './instant.ts';
import { doubleOf, shortNumberAt } from './short-number.ts';
import type { ValueType } from './value-type.ts';

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

/** Compares numbers of few digits without decoding them. */
type NumberMatch = (number: number) => boolean;

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
  private readonly everyValue: boolean;
  readonly values: readonly string[];
  private madeKeys: ReadonlySet<string> | undefined;
  private madeMatch: Match | undefined;
  private readonly numbers: NumberMatch | undefined;
  /** The keys, found in a document; made when it is first needed. */
  private equals: EqualityIndex<true> | undefined;
  private madeBeginnings: ((text: string) => Beginning) | undefined;

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
    this.values = values;
    const { relation } = operator;
    if (relation !== 'equals') this.numbers = numbersOrderedBy(relation, type, values);
    // Any text reads as a string; of the other types some do not, and the decision is then refused.
    if (type !== 'STRING') this.madeMatch = this.makeMatch();
  }

  /** For an operator of equality: the keys of its values ({@link keyOf}). */
  get keys(): ReadonlySet<string> | undefined {
    if (this.operator.relation !== 'equals') return undefined;
    this.madeKeys ??= this.makeKeys();
    return this.madeKeys;
  }

  private makeKeys(): ReadonlySet<string> {
    return new Set(parseAll(this.type, this.values, (value) => keyOf(this.type, value)));
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

  /** The same for values in a document. */
  holdsFor(doc: JsonDocument, found: readonly FoundValue[], onUnreadable = ignore): boolean {
    const { negated } = this.operator;
    if (found.length === 0) return negated;
    const isEvery = this.everyValue && !negated;
    for (const value of found) {
      const fits =
        typeof value === 'string' ? this.fits(value, onUnreadable) : this.fitsAt(doc, value, onUnreadable);
      if (fits !== isEvery) return fits !== negated;
    }
    return isEvery || negated;
  }

  /** The same for an attribute whose only value is a scalar in a document. */
  holdsForScalar(doc: JsonDocument, node: Node, onUnreadable = ignore): boolean {
    const fits = kindOf(doc, node) !== Kind.null && this.fitsAt(doc, node, onUnreadable);
    return fits !== this.operator.negated;
  }

  /** Whether the relation, never its opposite, holds between a text and one of the values. */
  fits(text: string, onUnreadable = ignore): boolean {
    this.madeMatch ??= this.makeMatch();
    const matches = this.madeMatch(text);
    if (matches === undefined) onUnreadable();
    return matches === true;
  }

  /** The same for a value in a document. */
  private fitsAt(doc: JsonDocument, node: Node, onUnreadable: () => void): boolean {
    const kind = kindOf(doc, node);
    const { keys } = this;
    if (keys) {
      this.equals ??= indexOf(this.type, keys);
      return this.equals.at(doc, node, onUnreadable) === true;
    }
    const { numbers } = this;
    if (numbers && (kind === Kind.number || kind === Kind.plainString)) {
      const isInString = kind !== Kind.number;
      const start = startOf(doc, node) + Number(isInString);
      const number = shortNumberAt(doc.bytes, start, isInString, 'decimal');
      if (!Number.isNaN(number)) return numbers(number);
    }
    if (this.operator.relation === 'present') return kind < Kind.null;
    const text = scalarTextAt(doc, node);
    return text !== undefined && this.fits(text, onUnreadable);
  }

  /** What matters of a text for the relation, never its opposite, if more may follow. */
  beginningOf(text: string): Beginning {
    this.madeBeginnings ??= beginningsOf(this.operator, this.type, this.values);
    return this.madeBeginnings(text);
  }

  private makeMatch(): Match {
    const { type, keys } = this;
    const { relation } = this.operator;
    if (relation !== 'equals') return matching(relation, type, this.values);
    return equalTo(type, keys ?? new Set());
  }
}

function ignore(): void {
  // Nobody counts.
}

function indexOf(type: ValueType, keys: Iterable<string>): EqualityIndex<true> {
  const index = new EqualityIndex<true>(type);
  for (const key of keys) index.set(key, true);
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

/** Up to this many values are searched one by one, more of them together. */
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

/** @returns undefined if numbers of few digits have to be compared as all others */
function numbersOrderedBy(
  relation: Exclude<Relation, 'equals'>,
  type: ValueType,
  values: readonly string[],
): NumberMatch | undefined {
  if (!isOrder(relation) || !isNumeric(type)) return undefined;
  const own = values.map((value) => doubleIn(value));
  if (own.length === 0 || own.some((value) => Number.isNaN(value))) return undefined;
  const isLess = relation === 'less' || relation === 'lessOrEqual';
  // One of several values fits if the most generous does.
  const bound = own.reduce((one, other) => (isLess ? Math.max(one, other) : Math.min(one, other)));
  const accepts = ACCEPTED_ORDER[relation];
  return (number) => accepts(number - bound);
}

function isOrder(relation: Relation): relation is Order {
  return relation in ACCEPTED_ORDER;
}

function isNumeric(type: ValueType): boolean {
  return type === 'INTEGER' || type === 'NUMBER';
}

/** @returns NaN if no number of few digits is equal to it */
function doubleIn(text: string): number {
  const decimal = parseDecimal(text);
  return decimal ? doubleOf(decimal) : NaN;
}

function equalTo(type: ValueType, keys: ReadonlySet<string>): Match {
  return (text) => {
    const key = keyOf(type, text);
    return key === undefined ? undefined : keys.has(key);
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
