/** The types that a condition can compare as (docs/enforcement.md#conditions). */
export const VALUE_TYPES = ['STRING', 'INTEGER', 'NUMBER', 'BOOLEAN', 'DATE', 'DATETIME'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** Whether values of a type are compared as numbers. */
export function isNumeric(type: ValueType): boolean {
  return type === 'INTEGER' || type === 'NUMBER';
}

/** Whether values of a type are compared as instants. */
export function isDated(type: ValueType): boolean {
  return type === 'DATE' || type === 'DATETIME';
}
