import type { Operator, Relation } from '../../../core/index.ts';

const RELATIONS: Readonly<Record<string, Relation>> = {
  EQUALS: 'equals',
  IN: 'equals',
  LESS: 'less',
  LESSEQUALS: 'lessOrEqual',
  GREAT: 'greater',
  GREATE: 'greater',
  GREATER: 'greater',
  GREATEQUALS: 'greaterOrEqual',
  GREATEREQUALS: 'greaterOrEqual',
  CONTAINS: 'contains',
  STARTWITH: 'startsWith',
  STARTSWITH: 'startsWith',
  ENDWITH: 'endsWith',
  ENDSWITH: 'endsWith',
};
const NEGATED: Readonly<Record<string, Relation>> = {
  NOTEQUALS: 'equals',
  NOTIN: 'equals',
  NOTCONTAINS: 'contains',
};
const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...Object.entries(RELATIONS).map(([name, relation]) => [name, { relation, negated: false }] as const),
  ...Object.entries(NEGATED).map(([name, relation]) => [name, { relation, negated: true }] as const),
]);

/** By the names that PDPs write most often. */
const SPELLINGS: ReadonlyMap<string, Operator> = new Map([
  ...OPERATORS,
  ...[
    'LESS_EQUALS',
    'GREAT_EQUALS',
    'GREATER_EQUALS',
    'STARTS_WITH',
    'ENDS_WITH',
    'NOT_IN',
    'NOT_CONTAINS',
  ].flatMap((name) => {
    const operator = OPERATORS.get(name.replaceAll('_', ''));
    return operator ? [[name, operator] as const] : [];
  }),
]);

/** The operator of that name; underscores and case do not matter. */
export function operatorNamed(name: string): Operator | undefined {
  return SPELLINGS.get(name) ?? OPERATORS.get(name.replaceAll('_', '').toUpperCase());
}
