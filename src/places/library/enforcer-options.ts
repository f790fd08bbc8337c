import { nearestOf } from '../../nearest.ts';
import { configurationError, type Problem } from '../../yaml/index.ts';
import type { EnforcerLog, EnforcerOptions } from './api.ts';
import { isObject } from './is-object.ts';

const NAME = 'The options of createEnforcer';
const MEMBERS: Readonly<Record<keyof EnforcerOptions, true>> = { log: true };
const KNOWN = Object.keys(MEMBERS);
const METHODS: readonly (keyof EnforcerLog)[] = ['error', 'warn', 'info', 'debug'];

/**
 * Refuses what the types of TypeScript would: a misspelt `log` must not send log lines elsewhere, nor fail at the first of them.
 *
 * @throws ConfigurationError with every problem at once
 */
export function requireEnforcerOptions(options: unknown): void {
  const problems = isObject(options)
    ? [...unknownMembers(options), ...wrongLog(options)]
    : [{ key: '', message: 'They have to be an object, such as { log }.' }];
  if (problems.length > 0) throw configurationError(NAME, problems);
}

function unknownMembers(options: object): readonly Problem[] {
  return Object.keys(options)
    .filter((key) => !Object.hasOwn(MEMBERS, key))
    .map((key) => ({ key, message: `is not a known key${nearestOf(key, KNOWN)}` }));
}

function wrongLog({ log }: { readonly log?: unknown }): readonly Problem[] {
  if (log === undefined || (isObject(log) && METHODS.every((name) => typeof log[name] === 'function')))
    return [];
  return [{ key: 'log', message: `must have the methods ${METHODS.join(', ')}, as console has` }];
}
