import _ from 'lodash';
import { Kind, kindOf, isString, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { rawAt, scalarTextAt } from '../json/text.ts';
import type { Comparison } from '../conditions/comparison.ts';
import { compareDecimals, parseDecimal } from '../conditions/decimal.ts';
import { compareInstants, parseInstant } from '../conditions/instant.ts';
import { doubleOf, shortNumberAt } from '../conditions/short-number.ts';
import { NameClasses } from '../paths/name-classes.ts';

const NUMERIC: ReadonlySet<string> = new Set(['INTEGER', 'NUMBER']);
const PARTS: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith']);
const DATED: ReadonlySet<string> = new Set(['DATE', 'DATETIME']);

/** Sorts scalars into classes: some comparisons come to the same for all values of a class. A value costs what is in it. */
export class ValueClasses {
  private readonly texts: NameClasses | undefined;
  private readonly numbers: Ordered | undefined;
  private readonly instants: Ordered | undefined;
  private readonly hasBooleans: boolean;

  constructor(comparisons: readonly Comparison[]) {
    const [asTexts, typed] = _.partition(comparisons, isOfText);
    this.texts = asTexts.length > 0 ? textClasses(asTexts) : undefined;
    this.numbers = orderedNumbers(valuesOf(typed, NUMERIC));
    this.instants = orderedInstants(valuesOf(typed, DATED));
    this.hasBooleans = comparisons.some(({ type }) => type === 'BOOLEAN');
  }

  /** @returns the class of a value as text; undefined if it is in none */
  of(doc: JsonDocument, node: Node): string | undefined {
    const kind = kindOf(doc, node);
    if (kind >= Kind.true || this.hasBooleans) return undefined;
    const { texts, numbers, instants } = this;
    const ofText = texts ? (isString(kind) ? texts.at(doc, node) : texts.of(rawAt(doc, node))) : 0;
    return `${ofText} ${numbers ? numbers.at(doc, node) : 0} ${instants ? instants.at(doc, node) : 0}`;
  }
}

/** Parts are found in the text of a value, whatever its type. */
function isOfText({ type, operator }: Comparison): boolean {
  return type === 'STRING' || PARTS.has(operator.relation);
}

function valuesOf(comparisons: readonly Comparison[], types: ReadonlySet<string>): readonly string[] {
  return comparisons.filter(({ type }) => types.has(type)).flatMap(({ values }) => values);
}

function textClasses(comparisons: readonly Comparison[]): NameClasses {
  const starts: string[] = [];
  const anywhere: string[] = [];
  const ordered: string[] = [];
  const names: string[] = [];
  for (const { operator, values } of comparisons) {
    const { relation } = operator;
    if (relation === 'equals') names.push(...values);
    else if (relation === 'startsWith') starts.push(...values);
    else if (relation === 'contains' || relation === 'endsWith') anywhere.push(...values);
    else if (relation !== 'present') ordered.push(...values);
  }
  const segments = names.map((name) => ({ kind: 'name', name }) as const);
  return new NameClasses(segments, { starts, anywhere, ordered, typed: undefined });
}

/** Values that others are compared with, in order. */
interface Ordered {
  /** Where a value lies among them: the same number for those that lie at the same place; -1 if it does not read as one. */
  at(doc: JsonDocument, node: Node): number;
}

function orderedNumbers(values: readonly string[]): Ordered | undefined {
  if (values.length === 0) return undefined;
  const parsed = values.flatMap((value) => parseDecimal(value) ?? []).toSorted(compareDecimals);
  const doubles = parsed.map(doubleOf);
  const areShort = doubles.every((double) => !Number.isNaN(double));
  return {
    at(doc, node) {
      const short = areShort ? shortAt(doc, node) : NaN;
      if (!Number.isNaN(short)) return placeAmong(doubles, (double) => double - short);
      const number = parseDecimal(scalarTextAt(doc, node) ?? '');
      return number ? placeAmong(parsed, (one) => compareDecimals(one, number)) : -1;
    },
  };
}

function shortAt(doc: JsonDocument, node: Node): number {
  const quotes = isString(kindOf(doc, node));
  return shortNumberAt(doc.bytes, startOf(doc, node) + Number(quotes), quotes, 'decimal');
}

function orderedInstants(values: readonly string[]): Ordered | undefined {
  if (values.length === 0) return undefined;
  const parsed = values.flatMap((value) => parseInstant(value) ?? []).toSorted(compareInstants);
  return {
    at(doc, node) {
      const instant = parseInstant(scalarTextAt(doc, node) ?? '');
      return instant ? placeAmong(parsed, (one) => compareInstants(one, instant)) : -1;
    },
  };
}

/**
 * The place of a value among others in ascending order: even between them, odd where it is equal to one.
 *
 * @param order below 0 if one of them is less than the value, 0 if it is equal
 */
function placeAmong<T>(all: readonly T[], order: (one: T) => number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const compared = order(all[middle]!);
    if (compared === 0) {
      // Of equal ones the first counts.
      high = middle;
      if (low === high || order(all[middle - 1]!) < 0) return middle * 2 + 1;
    } else if (compared < 0) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}
