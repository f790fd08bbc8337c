import path from 'node:path';
import type { Problem } from '../yaml/index.ts';
import type { Configuration } from './schema.ts';

/** What a configuration says, nested, before it is verified. */
export type Values = Readonly<Record<string, unknown>>;

/** A value by its dotted name; undefined if there is none. */
export function valueAt(values: Values, key: string): unknown {
  let value: unknown = values;
  for (const name of key.split('.')) {
    if (!isMap(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Whether a value has keys. */
export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The configuration with paths of files that begin at a folder. */
export function withAbsolutePaths(configuration: Configuration, folder: string): Configuration {
  const { policyFile, pdpTls, tls, maskKeys } = configuration;
  const absolute = (files: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(files).flatMap(([name, file]) =>
        file === undefined ? [] : [[name, path.resolve(folder, file)]],
      ),
    );
  return {
    ...configuration,
    ...absolute({ policyFile }),
    pdpTls: {
      ...pdpTls,
      ...absolute({ caFile: pdpTls.caFile, certFile: pdpTls.certFile, keyFile: pdpTls.keyFile }),
    },
    tls: {
      ...tls,
      ...absolute({ certFile: tls.certFile, keyFile: tls.keyFile, clientCaFile: tls.clientCaFile }),
    },
    maskKeys: Object.fromEntries(
      Object.entries(maskKeys).map(([name, key]) => [name, { ...key, file: path.resolve(folder, key.file) }]),
    ),
  };
}

/** The defaults for a rules document: its FILTER rules remove records, and without such a rule every record stays. */
const OF_RULES_DOCUMENTS: Values = { filter: true, filterDefault: 'allow' };

/** The values, with the defaults that depend on the protocol of the PDP. */
export function withProtocolDefaults(values: Values): Values {
  const { pdpProtocol } = values;
  if (pdpProtocol !== 'opa' && pdpProtocol !== 'authzen') return values;
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...OF_RULES_DOCUMENTS, ...Object.fromEntries(given) };
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

const MESSAGE = 'contains ${…}, but variables are not expanded; write the value itself';
