import { compareAs, readsAs, VALUE_TYPES, type ValueType } from './compare.ts';
import { listOf, memberOfObject, stringOrNothing, textsOf } from './decision.ts';
import { scalarText, type Json } from './model.ts';
import { requireOfDecision, understood } from './refusal.ts';

/** A condition tree (docs/enforcement.md#conditions). */
export type Condition =
  | { readonly kind: 'and'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'or'; readonly conditions: readonly Condition[] }
  | Comparison;

export interface Comparison {
  readonly kind: 'comparison';
  readonly attribute: string;
  readonly type: ValueType;
  readonly test: Test;
  readonly negated: boolean;
  readonly values: readonly string[];
  readonly everyValue: boolean;
}

type Test =
  'equals' | 'less' | 'lessEquals' | 'greater' | 'greaterEquals' | 'contains' | 'startsWith' | 'endsWith';

interface Operator {
  readonly test: Test;
  readonly negated?: true;
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['EQUALS', { test: 'equals' }],
  ['NOTEQUALS', { test: 'equals', negated: true }],
  ['IN', { test: 'equals' }],
  ['NOTIN', { test: 'equals', negated: true }],
  ['LESS', { test: 'less' }],
  ['LESSEQUALS', { test: 'lessEquals' }],
  ['GREAT', { test: 'greater' }],
  ['GREATE', { test: 'greater' }],
  ['GREATER', { test: 'greater' }],
  ['GREATEQUALS', { test: 'greaterEquals' }],
  ['GREATEREQUALS', { test: 'greaterEquals' }],
  ['CONTAINS', { test: 'contains' }],
  ['NOTCONTAINS', { test: 'contains', negated: true }],
  ['STARTWITH', { test: 'startsWith' }],
  ['STARTSWITH', { test: 'startsWith' }],
  ['ENDWITH', { test: 'endsWith' }],
  ['ENDSWITH', { test: 'endsWith' }],
]);

const TEXT_TESTS: ReadonlySet<Test> = new Set(['contains', 'startsWith', 'endsWith']);

/**
 * Reads a condition tree of a decision.
 *
 * @throws Refusal 502 if it is not understood.
 */
export function parseCondition(node: Json): Condition {
  const and = memberOfObject(node, 'AND');
  const or = memberOfObject(node, 'OR');
  requireOfDecision(and === undefined || or === undefined, 'AND beside OR');
  if (and !== undefined) return { kind: 'and', conditions: listOf(and).map(parseCondition) };
  if (or !== undefined) return { kind: 'or', conditions: listOf(or).map(parseCondition) };
  return parseComparison(node);
}

/** A tree as alternatives of which one must hold, each a list of comparisons that must all hold. */
export function alternativesOf(condition: Condition): (readonly Comparison[])[] {
  if (condition.kind === 'comparison') return [[condition]];
  const inner = condition.conditions.map(alternativesOf);
  if (condition.kind === 'or') return inner.flat();
  return inner.reduce<(readonly Comparison[])[]>(
    (combined, more) => combined.flatMap((one) => more.map((other) => [...one, ...other])),
    [[]],
  );
}

/** Decides one comparison on the values that its attribute has; nulls are no values. */
export function compareValues(comparison: Comparison, values: readonly Json[]): boolean {
  const present = values.filter((value) => value.kind !== 'null');
  const isHit = (value: Json): boolean => fitsAny(comparison, scalarText(value));
  if (comparison.negated) return !present.some(isHit);
  return comparison.everyValue ? present.length > 0 && present.every(isHit) : present.some(isHit);
}

function fitsAny(comparison: Comparison, text: string | undefined): boolean {
  return text !== undefined && comparison.values.some((named) => fits(comparison, text, named));
}

function fits({ test, type }: Comparison, text: string, named: string): boolean {
  if (test === 'contains') return text.includes(named);
  if (test === 'startsWith') return text.startsWith(named);
  if (test === 'endsWith') return text.endsWith(named);
  return isOrdered(test, compareAs(type, text, named));
}

function isOrdered(test: Test, order: number | undefined): boolean {
  if (order === undefined) return false;
  if (order === 0) return test === 'equals' || test === 'lessEquals' || test === 'greaterEquals';
  return order < 0
    ? test === 'less' || test === 'lessEquals'
    : test === 'greater' || test === 'greaterEquals';
}

function parseComparison(node: Json): Comparison {
  const attribute = understood(
    stringOrNothing(memberOfObject(node, 'attribute')),
    'a condition without attribute',
  );
  const operator = parseOperator(memberOfObject(node, 'operator'));
  const type = parseType(memberOfObject(node, 'type'));
  const values = textsOf(memberOfObject(node, 'values'));
  requireOfDecision(values.length > 0, 'a condition without values');
  requireFittingType(operator.test, type, values);
  const { test, negated = false } = operator;
  return { kind: 'comparison', attribute, type, test, negated, values, everyValue: parseMatch(node) };
}

function parseOperator(name: Json | undefined): Operator {
  const known = OPERATORS.get((stringOrNothing(name) ?? '').replaceAll('_', '').toUpperCase());
  return understood(known, 'an unknown operator');
}

function parseType(name: Json | undefined): ValueType {
  return understood(
    VALUE_TYPES.find((type) => type === (name === undefined ? 'STRING' : stringOrNothing(name))),
    'an unknown type',
  );
}

function parseMatch(node: Json): boolean {
  const said = memberOfObject(node, 'match');
  const match = said === undefined ? 'ANY' : stringOrNothing(said);
  requireOfDecision(match === 'ANY' || match === 'ALL', 'an unknown match');
  return match === 'ALL';
}

function requireFittingType(test: Test, type: ValueType, values: readonly string[]): void {
  if (TEXT_TESTS.has(test)) return;
  requireOfDecision(
    values.every((value) => readsAs(type, value)),
    'a value that is not of its type',
  );
  requireOfDecision(test === 'equals' || type !== 'BOOLEAN', 'an order of booleans');
}
