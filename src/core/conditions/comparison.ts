import { Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { scalarTextAt } from '../json/text.ts';
import { UNREADABLE, type AttributeValue, type FoundValue } from '../paths/attribute.ts';
import { beginningsOf, type Beginning } from './beginning.ts';
import { EqualityIndex, keyOf } from './equality.ts';
import {
  equalTo,
  instantsOrderedBy,
  isOrder,
  matching,
  numbersOrderedBy,
  parseAll,
  type Match,
  type NumberMatch,
  type Relation,
} from './relation.ts';
import { shortInstantAt } from './short-instant.ts';
import { shortNumberAt } from './short-number.ts';
import { isDated, type ValueType } from './value-type.ts';

/** An operator: a relation, or its opposite. */
export interface Operator {
  readonly relation: Relation;
  readonly negated: boolean;
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
  /** The same for instants; made when the first is compared. */
  private instants: NumberMatch | undefined;
  private readonly isDated: boolean;
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
    this.isDated = isOrder(relation) && isDated(type);
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
    if (this.isDated) {
      const seconds = shortInstantAt(doc, node);
      if (!Number.isNaN(seconds)) return this.fitsInstant(seconds);
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

  private fitsInstant(seconds: number): boolean {
    const { relation } = this.operator;
    if (isOrder(relation)) this.instants ??= instantsOrderedBy(relation, this.type, this.values);
    return this.instants?.(seconds) === true;
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
