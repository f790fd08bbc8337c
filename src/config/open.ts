import path from 'node:path';
import {
  configurationError,
  readYaml,
  type ConfigurationError,
  type Problem,
  type YamlFile,
} from '../yaml/index.ts';
import { REFUSED, accept } from './accept.ts';
import { withLine } from './lines.ts';
import { pdpHostProblem, pdpUrlProblem, SERVER_NAME } from './pdp-address.ts';
import { ROOT_WORD } from './root-word.ts';
import type { Configuration } from './schema.ts';
import { CONFIGURATION_SHAPE } from './shape.ts';
import { readContent, sha256Of } from './text.ts';
import { variableProblems, withAbsolutePaths, withProtocolDefaults, type Values } from './values.ts';
import { verifyKeys, verifyValues } from './verify.ts';

/**
 * Reads the configuration file.
 *
 * @param defaults for keys that the file may leave out, such as the port if nothing listens
 * @param sha256 of the file, in hexadecimal, if no other file is to be read
 * @returns the configuration with every default applied and paths of files absolute
 * @throws ConfigurationError with every problem at once, or with one if the file cannot be read
 */
export async function loadConfiguration(
  file: string,
  defaults: Values = {},
  sha256?: string,
): Promise<Configuration> {
  const { bytes, text } = readContent(file, sha256);
  const { values, lines, problems, sound } = readYaml(text);
  const isRead = sound && problems.length === 0;
  const right = isRead ? rightConfiguration({ ...defaults, ...values }, path.dirname(file)) : undefined;
  const reading = right ?? (await bySchema()).parseConfiguration(text, { file }, defaults);
  return from({ name: file, lines, bytes }, reading);
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
  const { name } = origin;
  if (!nestsWithin(MAX_DEPTH, values))
    throw configurationError(name, [{ key: '', message: 'It nests too deeply, or contains itself.' }]);
  const right = rightConfiguration(values, origin.folder);
  const reading = right ?? (await bySchema()).checkConfiguration(values, origin);
  return from({ name, lines: NO_LINES }, reading);
}

/** No key is as deep. The objects of a program may contain themselves. */
const MAX_DEPTH = 64;

function nestsWithin(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => nestsWithin(levels - 1, one));
}

/** Where a configuration comes from. */
interface Origin {
  /** Its file, if it comes from one. */
  readonly name: string;
  readonly lines: YamlFile['lines'];
  /** The content of the file. */
  readonly bytes?: Buffer;
}

const NO_LINES: Origin['lines'] = new Map();
const UNKNOWN: Origin = { name: 'The configuration', lines: NO_LINES };
const origins = new WeakMap<Configuration, Origin>();

async function from(origin: Origin, reading: Configuration | Promise<Configuration>): Promise<Configuration> {
  const configuration = await reading;
  origins.set(configuration, origin);
  return configuration;
}

/** The error for problems that a configuration turns out to have when it is used, each with the line of its key. */
export function errorIn(configuration: Configuration, problems: readonly Problem[]): ConfigurationError {
  const { name, lines } = origins.get(configuration) ?? UNKNOWN;
  return configurationError(
    name,
    problems.map((problem) => withLine(problem, lines)),
  );
}

/** The SHA-256 of the file that a configuration was read from, in hexadecimal; undefined if there was no file. */
export function fileHashOf(configuration: Configuration): string | undefined {
  const bytes = origins.get(configuration)?.bytes;
  return bytes && sha256Of(bytes);
}

/** The schema says what is wrong. To load it takes longer than all that a right configuration needs. */
const bySchema = () => import('./load.ts');

/** What the schema makes of values that are right and plain; undefined if only the schema can say. */
export function rightConfiguration(values: Values, folder: string): Configuration | undefined {
  if (variableProblems(values).length > 0) return undefined;
  const made = accept(CONFIGURATION_SHAPE, withProtocolDefaults(values), '', CHECKS);
  if (!isRight(made)) return undefined;
  const problems = [...verifyKeys(values), ...verifyValues(made)];
  return problems.length === 0 ? withAbsolutePaths(made, folder) : undefined;
}

/** A flat key such as `log.level` is in no group, so that it is left to the schema. */
function isRight(made: unknown): made is Configuration {
  return made !== REFUSED;
}

const CHECKS = {
  pdpUrl: (value: unknown) => typeof value === 'string' && pdpUrlProblem(value) === undefined,
  pdpHost: (value: unknown) => typeof value === 'string' && pdpHostProblem(value) === undefined,
  rootWord: (value: unknown) => typeof value === 'string' && ROOT_WORD.test(value),
  'pdpTls.serverName': (value: unknown) => typeof value === 'string' && SERVER_NAME.test(value),
};
