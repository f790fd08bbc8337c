import { Comparison } from '../../../src/core/conditions/comparison.ts';
import type { Leaf } from '../../../src/core/conditions/condition.ts';
import { parseAttributePath } from '../../../src/core/paths/parse.ts';

/** A comparison of an attribute of records with `x`. */
export function leaf(attribute: string): Leaf {
  return {
    kind: 'leaf',
    subject: 'record',
    comparison: new Comparison({ relation: 'equals', negated: false }, 'STRING', ['x'], false),
    attribute: parseAttributePath(attribute),
    paths: [],
    written: { attribute, operator: 'EQUALS' },
    values: ['x'],
    key: attribute,
  };
}

/** A list as JSON. */
export function list(count: number, item: (index: number) => string): string {
  return `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`;
}
