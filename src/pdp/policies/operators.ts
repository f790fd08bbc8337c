/** What an operator looks at: whether values are the same, which comes first, or the characters of a text. */
type Relation = 'equality' | 'order' | 'text';

/** The operators of conditions (docs/enforcement.md#conditions), in the spelling of decisions. */
const OPERATORS = [
  ['EQUALS', 'equality'],
  ['NOTEQUALS', 'equality'],
  ['IN', 'equality'],
  ['NOT_IN', 'equality'],
  ['LESS', 'order'],
  ['LESS_EQUALS', 'order'],
  ['GREATER', 'order'],
  ['GREATER_EQUALS', 'order'],
  ['CONTAINS', 'text'],
  ['NOT_CONTAINS', 'text'],
  ['STARTS_WITH', 'text'],
  ['ENDS_WITH', 'text'],
] as const satisfies [string, Relation][];

export type Operator = (typeof OPERATORS)[number][0];

export const OPERATOR_NAMES: readonly Operator[] = OPERATORS.map(([name]) => name);

/** Spellings that differ from those above by more than case and underscores. */
const OTHER_SPELLINGS = [
  ['GREAT', 'GREATER'],
  ['GREATE', 'GREATER'],
  ['GREATEQUALS', 'GREATER_EQUALS'],
  ['STARTWITH', 'STARTS_WITH'],
  ['ENDWITH', 'ENDS_WITH'],
] as const satisfies [string, Operator][];

const RELATIONS: ReadonlyMap<Operator, Relation> = new Map(OPERATORS);
const BY_SPELLING: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...OTHER_SPELLINGS,
  ...OPERATOR_NAMES.map((name) => [bare(name), name] as const),
]);

/** Matches every spelling of these operators that {@link parseOperator} knows, in Go's and JSON Schema's syntax. */
export function operatorPattern(operators: readonly Operator[]): string {
  const spellings = [...BY_SPELLING].filter(([, operator]) => operators.includes(operator));
  return `(?i)^_*(?:${spellings.map(([name]) => name.replaceAll(/./g, '$&_*')).join('|')})$`;
}

/** @returns undefined if the text is not an operator */
export function parseOperator(text: string): Operator | undefined {
  return BY_SPELLING.get(bare(text));
}

export function relationOf(operator: Operator): Relation | undefined {
  return RELATIONS.get(operator);
}

function bare(spelling: string): string {
  return spelling.replaceAll('_', '').toUpperCase();
}
