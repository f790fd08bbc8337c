import path from 'node:path';
import { coreScalar, loadYaml, readPlainYaml } from '../yaml/index.ts';
import { REFUSED, accept } from './accept.ts';
import { pdpHostProblem, pdpUrlProblem } from './pdp-address.ts';
import type { Configuration } from './schema.ts';
import { CONFIGURATION_SHAPE } from './shape.ts';
import { readText } from './text.ts';
import { valuesFileProblem } from './values-file.ts';
import { valueAt, variableProblems, withAbsolutePaths, withProtocolDefaults, type Values } from './values.ts';
import { verifyKeys, verifyValues } from './verify.ts';

/**
 * Reads the configuration file.
 *
 * @returns the configuration with every default applied and paths of files absolute
 * @throws ConfigurationError with every problem at once, or with one if the file cannot be read
 */
export async function loadConfiguration(file: string): Promise<Configuration> {
  const values = await valuesIn(readText(file));
  const right = values && rightConfiguration(values, path.dirname(file));
  if (right !== undefined) return right;
  const schema = await bySchema();
  return schema.loadConfiguration(file);
}

/** Undefined unless the text is sound. A parser is loaded for one that is not plain. */
async function valuesIn(text: string): Promise<Values | undefined> {
  const plain = readPlainYaml(text, coreScalar);
  if (plain !== undefined) return plain;
  const { readYaml } = await loadYaml();
  const { values, problems, sound } = readYaml(text);
  return sound && problems.length === 0 ? values : undefined;
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
  if (right !== undefined) return right;
  const schema = await bySchema();
  return schema.checkConfiguration(values, origin);
}

/** The schema says what is wrong. To load it takes longer than all that a right configuration needs. */
const bySchema = () => import('./load.ts');

/** What the schema makes of values that are right and plain; undefined if only the schema can say. */
export function rightConfiguration(values: Values, folder: string): Configuration | undefined {
  if (valuesFileProblem(values) !== undefined || variableProblems(values).length > 0) return undefined;
  const made = accept(CONFIGURATION_SHAPE, withProtocolDefaults(values), '', CHECKS);
  if (!isRight(made)) return undefined;
  const problems = [...verifyKeys((key) => valueAt(values, key) !== undefined), ...verifyValues(made)];
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
