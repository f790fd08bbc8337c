import path from 'node:path';
import lodash from 'lodash';
import { readYaml } from '../yaml/index.ts';
import { REFUSED, accept } from './accept.ts';
import { pdpHostProblem, pdpUrlProblem } from './pdp-address.ts';
import type { Configuration } from './schema.ts';
import { CONFIGURATION_SHAPE } from './shape.ts';
import { readText } from './text.ts';
import { valuesFileProblem } from './values-file.ts';
import { variableProblems, withAbsolutePaths, withProtocolDefaults, type Values } from './values.ts';
import { verifyKeys, verifyValues } from './verify.ts';

/**
 * Reads the configuration file.
 *
 * @returns the configuration with every default applied and paths of files absolute
 * @throws ConfigurationError with every problem at once, or with one if the file cannot be read
 */
export async function loadConfiguration(file: string): Promise<Configuration> {
  const { values, problems, sound } = readYaml(readText(file));
  const right = sound && problems.length === 0 ? rightConfiguration(values, path.dirname(file)) : undefined;
  return named(file, right ?? (await bySchema()).loadConfiguration(file));
}

/**
 * Checks a configuration that is an object and not a file, by the same rules.
 *
 * @param name the name of the configuration in the message of an error
 * @param folder the folder in which relative paths start
 * @returns the configuration with every default applied and paths of files absolute
 * @throws ConfigurationError with every problem at once; problems have no lines
 */
export async function checkConfiguration(
  values: Values,
  origin: { readonly name: string; readonly folder: string },
): Promise<Configuration> {
  const right = rightConfiguration(values, origin.folder);
  return named(origin.name, right ?? (await bySchema()).checkConfiguration(values, origin));
}

const names = new WeakMap<Configuration, string>();

async function named(name: string, reading: Configuration | Promise<Configuration>): Promise<Configuration> {
  const configuration = await reading;
  names.set(configuration, name);
  return configuration;
}

/** What errors about a configuration name: its file, if it comes from one. */
export function nameOf(configuration: Configuration): string {
  return names.get(configuration) ?? 'The configuration';
}

/** The schema says what is wrong. To load it takes longer than all that a right configuration needs. */
const bySchema = () => import('./load.ts');

/** What the schema makes of values that are right and plain; undefined if only the schema can say. */
export function rightConfiguration(values: Values, folder: string): Configuration | undefined {
  if (valuesFileProblem(values) !== undefined || variableProblems(values).length > 0) return undefined;
  const made = accept(CONFIGURATION_SHAPE, withProtocolDefaults(values), '', CHECKS);
  if (!isRight(made)) return undefined;
  const problems = [...verifyKeys((key) => lodash.get(values, key) !== undefined), ...verifyValues(made)];
  return problems.length === 0 ? withAbsolutePaths(made, folder) : undefined;
}

/** A flat key such as `log.level` is in no group, so that it is left to the schema. */
function isRight(made: unknown): made is Configuration {
  return made !== REFUSED;
}

const CHECKS = {
  pdpUrl: (value: unknown) => typeof value === 'string' && pdpUrlProblem(value) === undefined,
  pdpHost: (value: unknown) => typeof value === 'string' && pdpHostProblem(value) === undefined,
};
