import path from 'node:path';
import lodash from 'lodash';
import type { Problem } from '../yaml/index.ts';
import type { Configuration } from './schema.ts';

/** What a configuration says, nested, before it is verified. */
export type Values = Readonly<Record<string, unknown>>;

/** The keys whose values are paths of files. */
const FILE_KEYS = [
  'policyFile',
  'pdpTls.caFile',
  'pdpTls.certFile',
  'pdpTls.keyFile',
  'tls.certFile',
  'tls.keyFile',
  'tls.clientCaFile',
];

/** The configuration with paths of files that begin at a folder. */
export function withAbsolutePaths(configuration: Configuration, folder: string): Configuration {
  const copy = lodash.cloneDeep(configuration);
  for (const key of FILE_KEYS) {
    const name: unknown = lodash.get(copy, key);
    if (typeof name === 'string') lodash.set(copy, key, path.resolve(folder, name));
  }
  for (const key of Object.values(copy.maskKeys)) key.file = path.resolve(folder, key.file);
  return copy;
}

/** The defaults for a rules document: its FILTER rules remove records, and without such a rule every record stays. */
const OF_RULES_DOCUMENTS: Values = { filter: true, filterDefault: 'allow' };

/** The values, with the defaults that depend on the protocol of the PDP. */
export function withProtocolDefaults(values: Values): Values {
  const { pdpProtocol } = values;
  return pdpProtocol === 'opa' || pdpProtocol === 'authzen'
    ? lodash.defaults({ ...values }, OF_RULES_DOCUMENTS)
    : values;
}

/** What is filled in for each request, and verified as such. */
const WITH_VARIABLES = /^(?:routes\.\d+|otherwise)\.vendor$/u;

const VARIABLE = /\$\{[^}]*\}/u;

/**
 * The values that contain `${…}`. Nothing replaces them, and they are no useful text: the author expects a variable.
 *
 * @param values nested maps and lists, as read from a file of bounded depth
 */
export function variableProblems(values: Values, prefix = ''): readonly Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = prefix + name;
    if (typeof value === 'string' && VARIABLE.test(value)) return [{ key, message: MESSAGE }];
    if (WITH_VARIABLES.test(key)) return [];
    return typeof value === 'object' ? variableProblems(Object(value), `${key}.`) : [];
  });
}

/**
 * The keys named `__proto__`, which maps of names such as `maskKeys` would lose without a word.
 *
 * @param values nested maps and lists, as read from a file of bounded depth
 */
export function lostKeyProblems(values: Values, prefix = ''): readonly Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = prefix + name;
    if (name === '__proto__') return [{ key, message: 'is not a known key' }];
    return typeof value === 'object' ? lostKeyProblems(Object(value), `${key}.`) : [];
  });
}

const MESSAGE = 'contains ${…}, but variables are not expanded; write the value itself';
