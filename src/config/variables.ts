import lodash from 'lodash';
import type { Problem } from './problem.ts';

const VARIABLE = /\$\{[^}]*\}/u;

/**
 * The values that contain `${…}`. Nothing replaces them, and they are no useful text: the author expects a variable.
 *
 * @param values nested maps, as read from a file of bounded depth
 */
export function variableProblems(values: Readonly<Record<string, unknown>>, prefix = ''): readonly Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = prefix + name;
    if (typeof value === 'string' && VARIABLE.test(value)) return [{ key, message: MESSAGE }];
    return lodash.isPlainObject(value) ? variableProblems(Object(value), `${key}.`) : [];
  });
}

const MESSAGE = 'contains ${…}, but variables are not expanded; write the value itself';
