import type { Problem } from '../yaml/index.ts';

/** What is filled in for each request, and verified as such. */
const WITH_VARIABLES = /^(?:routes\.\d+|otherwise)\.vendor$/u;

const VARIABLE = /\$\{[^}]*\}/u;

/**
 * The values that contain `${…}`. Nothing replaces them, and they are no useful text: the author expects a variable.
 *
 * @param values nested maps and lists, as read from a file of bounded depth
 */
export function variableProblems(values: Readonly<Record<string, unknown>>, prefix = ''): readonly Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = prefix + name;
    if (typeof value === 'string' && VARIABLE.test(value)) return [{ key, message: MESSAGE }];
    if (WITH_VARIABLES.test(key)) return [];
    return typeof value === 'object' ? variableProblems(Object(value), `${key}.`) : [];
  });
}

const MESSAGE = 'contains ${…}, but variables are not expanded; write the value itself';
