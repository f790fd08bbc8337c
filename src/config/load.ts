import path from 'node:path';
import lodash from 'lodash';
import { problemsOf } from './issues.ts';
import { withLine } from './lines.ts';
import { problemsWithMaskKeys } from '../pdp/index.ts';
import { configurationError, readYaml, type Problem, type YamlFile } from '../yaml/index.ts';
import { configurationSchema, type Configuration } from './schema.ts';
import { valuesFileProblem } from './values-file.ts';
import {
  lostKeyProblems,
  variableProblems,
  withAbsolutePaths,
  withProtocolDefaults,
  type Values,
} from './values.ts';
import { verifyKeys, verifyValues } from './verify.ts';
import { CONFIGURATION_KEYS } from './keys.ts';

interface Origin {
  /**
   * The path of the file that the text comes from. Errors name it, and relative paths in the text start in its folder.
   */
  readonly file: string;
}

interface Reading {
  /** Absent if the schema refuses the values. */
  readonly configuration?: Configuration;
  readonly problems: readonly Problem[];
}

function readValues(written: YamlFile['values'], defaults: Values): Reading {
  const pasted = valuesFileProblem(written);
  if (pasted !== undefined) return { problems: [pasted] };
  const { values, problems: conflicts } = nestFlatKeys({ ...defaults, ...written });
  const variables = [...variableProblems(values), ...lostKeyProblems(written)];
  const result = configurationSchema.safeParse(withProtocolDefaults(values), {
    reportInput: true,
    jitless: true,
  });
  const relations = verifyKeys(values);
  if (result.success) {
    const { authzen, maskKeys } = result.data;
    const hashes = problemsWithMaskKeys(authzen, new Set(Object.keys(maskKeys)));
    const problems = [...conflicts, ...variables, ...relations, ...verifyValues(result.data), ...hashes];
    return { configuration: result.data, problems: lodash.uniqBy(problems, 'key') };
  }
  const issues = lodash.uniqBy([...variables, ...result.error.issues.flatMap(problemsOf)], 'key');
  const groups = issues.map(({ key }) => `${key}.`);
  const others = relations.filter(({ key }) => !groups.some((group) => key.startsWith(group)));
  return { problems: [...conflicts, ...issues, ...others] };
}

/**
 * Reads a configuration from the text of a YAML file.
 *
 * @param defaults for keys that the file may leave out
 * @returns the configuration with every default applied and paths of files absolute
 * @throws ConfigurationError with every problem at once
 */
export function parseConfiguration(text: string, origin: Origin, defaults: Values = {}): Configuration {
  const { values, lines, problems, sound } = readYaml(text);
  if (!sound) throw configurationError(origin.file, problems);
  const reading = readValues(values, defaults);
  const all = [...problems, ...reading.problems.map((problem) => withLine(problem, lines))];
  if (reading.configuration === undefined || all.length > 0) throw configurationError(origin.file, all);
  return withAbsolutePaths(reading.configuration, path.dirname(origin.file));
}

/**
 * Checks a configuration that is an object and not a file, by the same rules.
 *
 * @param name the name of the configuration in the message of an error
 * @param folder the folder in which relative paths start
 * @returns the configuration with every default applied and paths of files absolute
 * @throws ConfigurationError with every problem at once; problems have no lines
 */
export function checkConfiguration(
  values: Readonly<Record<string, unknown>>,
  { name, folder }: { readonly name: string; readonly folder: string },
): Configuration {
  const { configuration, problems } = readValues(withoutNulls(values), {});
  if (configuration === undefined || problems.length > 0) throw configurationError(name, problems);
  return withAbsolutePaths(configuration, folder);
}

/** In the file, too, null means that a key is absent. */
function withoutNulls(values: Values): Values {
  // lodash leaves out names such as constructor, which are to be refused.
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, lodash.isPlainObject(value) ? withoutNulls(Object(value)) : value]),
  );
}

/** The keys that may be written flat (`log.level: info`), as the table of the standalone form spells them. */
const NESTED_KEYS = CONFIGURATION_KEYS.map(({ key }) => key).filter((key) => key.includes('.'));

function isOpen(group: unknown): boolean {
  return group === undefined || lodash.isPlainObject(group);
}

function nestKey(values: Values, key: string): Values {
  const steps = key.split('.');
  const rest = lodash.omit(values, [key]);
  // Keep a group that is not a map: it is reported separately.
  const fits = values[key] !== undefined && isOpen(lodash.get(rest, steps.slice(0, -1)));
  return fits ? lodash.set(lodash.cloneDeep(rest), steps, values[key]) : rest;
}

function conflictOf(values: Values, key: string): readonly Problem[] {
  const nested: unknown = lodash.get(lodash.omit(values, [key]), key.split('.'));
  if (nested === undefined || values[key] === undefined || lodash.isEqual(nested, values[key])) return [];
  return [{ key, message: 'is given twice with different values, flat and nested; keep one' }];
}

/** Values with every key nested that was written flat, and the keys that are given in both ways and differ. */
function nestFlatKeys(values: Values): { values: Values; problems: readonly Problem[] } {
  const flat = NESTED_KEYS.filter((key) => Object.hasOwn(values, key));
  return {
    values: flat.reduce(nestKey, values),
    problems: flat.flatMap((key) => conflictOf(values, key)),
  };
}
