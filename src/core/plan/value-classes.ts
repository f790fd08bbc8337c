import _ from 'lodash';
import { Kind, isString, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { rawAt, scalarTextAt } from '../json/text.ts';
import type { Comparison } from '../conditions/comparison.ts';
import type { Relation } from '../conditions/relation.ts';
import { compareDecimals, parseDecimal } from '../conditions/decimal.ts';
import { EqualityIndex } from '../conditions/equality.ts';
import { compareInstants, parseInstant } from '../conditions/instant.ts';
import { secondsOf, shortInstantAt } from '../conditions/short-instant.ts';
import { doubleOf, shortNumberAt } from '../conditions/short-number.ts';
import { isDated, isNumeric, type ValueType } from '../conditions/value-type.ts';
import { NameClasses } from '../paths/name-classes.ts';
import { rankBy } from '../paths/ranks.ts';

const PARTS: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith']);

// What is exported is looked up each time, what is not is a constant in compiled code.
const TRUE = Kind.true;

/** A number for values that are alike. */
type ValueClass = number;
/** Of values of which it is not known which others are like them. */
export const UNSORTED: ValueClass = -1;

/** Sorts scalars into classes: some comparisons come to the same for all values of a class. A value costs what is in it. */
export class ValueClasses {
  /** The values that texts are equal to, each with a number from 1 on. */
  private readonly equals: EqualityIndex<number> | undefined;
  private readonly equalCount: number;
  private readonly texts: NameClasses | undefined;
  private readonly numbers: OrderedNumbers | undefined;
  private readonly instants: OrderedInstants | undefined;
  private readonly hasBooleans: boolean;

  constructor(comparisons: readonly Comparison[]) {
    const [asTexts, typed] = _.partition(comparisons, isOfText);
    const [equal, others] = _.partition(asTexts, ({ operator }) => operator.relation === 'equals');
    const values = _.uniq(equal.flatMap((comparison) => comparison.values));
    this.equals = values.length > 0 ? equalityOf(values) : undefined;
    this.equalCount = values.length + 1;
    this.texts = others.length > 0 ? textClasses(others) : undefined;
    this.numbers = OrderedNumbers.among(valuesOf(typed, isNumeric));
    this.instants = OrderedInstants.among(valuesOf(typed, isDated));
    this.hasBooleans = comparisons.some(({ type }) => type === 'BOOLEAN');
  }

  /** The class of a value; {@link UNSORTED} if it is in none. */
  of(doc: JsonDocument, node: Node): ValueClass {
    const kind = doc.tape[node]! & 7;
    if (kind >= TRUE || this.hasBooleans) return UNSORTED;
    const { equals, texts, numbers, instants } = this;
    let like = 0;
    if (texts !== undefined) like = kind < Kind.number ? texts.at(doc, node) : texts.of(rawAt(doc, node));
    if (equals !== undefined) like = like * this.equalCount + (equals.at(doc, node, ignore) ?? 0);
    if (numbers !== undefined) like = like * numbers.count + numbers.at(doc, node);
    if (instants !== undefined) like = like * instants.count + instants.at(doc, node);
    // A larger number may be that of two classes.
    return Number.isSafeInteger(like) ? like : UNSORTED;
  }
}

function ignore(): void {
  // Every text reads as one.
}

/** Parts are found in the text of a value, whatever its type. */
function isOfText({ type, operator }: Comparison): boolean {
  return type === 'STRING' || PARTS.has(operator.relation);
}

function valuesOf(
  comparisons: readonly Comparison[],
  isMeant: (type: ValueType) => boolean,
): readonly string[] {
  return comparisons.filter(({ type }) => isMeant(type)).flatMap(({ values }) => values);
}

function equalityOf(values: readonly string[]): EqualityIndex<number> {
  const index = new EqualityIndex<number>('STRING');
  for (const [at, value] of values.entries()) index.set(value, at + 1);
  return index;
}

function textClasses(comparisons: readonly Comparison[]): NameClasses {
  const having = (fits: (relation: Relation) => boolean) =>
    comparisons.flatMap(({ operator, values }) => (fits(operator.relation) ? values : []));
  return new NameClasses([], {
    starts: having((relation) => relation === 'startsWith'),
    anywhere: having((relation) => relation === 'contains'),
    ends: having((relation) => relation === 'endsWith'),
    ordered: having((relation) => !PARTS.has(relation) && relation !== 'present'),
    typed: undefined,
  });
}

/**
 * Finds where numbers lie among others: the same place for those that lie at the same one, even between two of them, odd
 * where they are equal to one, and the last place for what does not read as a number.
 */
class OrderedNumbers {
  /** How many places there are. */
  readonly count: number;
  private readonly parsed;
  private readonly doubles: Float64Array;
  private readonly areShort: boolean;

  static among(values: readonly string[]): OrderedNumbers | undefined {
    return values.length === 0 ? undefined : new OrderedNumbers(values);
  }

  private constructor(values: readonly string[]) {
    this.parsed = values.flatMap((value) => parseDecimal(value) ?? []).toSorted(compareDecimals);
    this.doubles = Float64Array.from(this.parsed, doubleOf);
    this.areShort = this.doubles.every((double) => !Number.isNaN(double));
    this.count = placesAmong(this.parsed);
  }

  at(doc: JsonDocument, node: Node): number {
    if (this.areShort) {
      const quotes = isString(kindOf(doc, node));
      const number = shortNumberAt(doc.bytes, startOf(doc, node) + Number(quotes), quotes, 'decimal');
      if (!Number.isNaN(number)) return rankAmongDoubles(this.doubles, number);
    }
    const number = parseDecimal(scalarTextAt(doc, node) ?? '');
    return number ? rankAmong(this.parsed, number, compareDecimals) : this.count - 1;
  }
}

/** The same for instants. */
class OrderedInstants {
  readonly count: number;
  private readonly parsed;
  private readonly seconds: Float64Array;

  static among(values: readonly string[]): OrderedInstants | undefined {
    return values.length === 0 ? undefined : new OrderedInstants(values);
  }

  private constructor(values: readonly string[]) {
    this.parsed = values.flatMap((value) => parseInstant(value) ?? []).toSorted(compareInstants);
    this.seconds = Float64Array.from(this.parsed, secondsOf);
    this.count = placesAmong(this.parsed);
  }

  at(doc: JsonDocument, node: Node): number {
    const seconds = shortInstantAt(doc, node);
    if (!Number.isNaN(seconds)) return rankAmongDoubles(this.seconds, seconds);
    const instant = parseInstant(scalarTextAt(doc, node) ?? '');
    return instant ? rankAmong(this.parsed, instant, compareInstants) : this.count - 1;
  }
}

function placesAmong({ length }: readonly unknown[]): number {
  return length * 2 + 2;
}

function rankAmong<T>(all: readonly T[], value: T, compare: (a: T, b: T) => number): number {
  return rankBy(all.length, (at) => compare(value, all[at]!));
}

function rankAmongDoubles(all: Float64Array, value: number): number {
  return rankBy(all.length, (at) => value - all[at]!);
}
