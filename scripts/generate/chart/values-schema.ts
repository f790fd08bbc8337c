import { basename } from 'node:path';
import lodash from 'lodash';
import { UNSEEN } from '../../../src/pdp/policies/path-dialects.ts';
import { documentedValues, type DocumentedValue } from './documented-values.ts';
import type { Json } from './config-schema.ts';
import { ANNOTATIONS, LABELS } from './label-schemas.ts';
import { spelt } from './spelt.ts';

/** The schemas of values that their defaults do not tell, by dotted path. */
export type Exceptions = Readonly<Record<string, Json>>;

/** What labels, annotations and selectors of nodes may have, by the name of the value. */
function textsIn(name: string): Json {
  if (/(?:labels|^nodeSelector)$/iu.test(name)) return LABELS;
  return /annotations$/iu.test(name) ? ANNOTATIONS : {};
}

/** The type of a value is that of its default; what is in a list or in a map is the API server's to judge. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function schemaOf({ path, value, description }: DocumentedValue, exceptions: Exceptions): Json {
  const exception = exceptions[path.join('.')];
  if (value === null && exception === undefined)
    throw new Error(`${path.join('.')} needs a schema of its own`);
  return {
    description,
    default: value,
    ...(exception ?? { type: typeOf(value), ...textsIn(path.at(-1) ?? '') }),
  };
}

/** Puts the schema of a value into closed groups. */
function place(root: Json, { path, schema }: { path: readonly string[]; schema: Json }): Json {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const inner: Json = lodash.get(root, ['properties', name], {});
  const properties = {
    ...lodash.toPlainObject(root['properties']),
    [name]: place(inner, { path: rest, schema }),
  };
  return { type: 'object', additionalProperties: false, properties };
}

/**
 * The closed schema of a chart's values, from its `values.yaml`.
 *
 * @param chart the chart's folder
 * @param definitions what the exceptions refer to
 */
export function valuesSchema(chart: string, exceptions: Exceptions, definitions: Json): string {
  const values = documentedValues(chart);
  const unknown = lodash.difference(
    Object.keys(exceptions),
    values.map(({ path }) => path.join('.')),
  );
  if (unknown.length > 0) throw new Error(`${chart}/values.yaml does not have ${unknown.join(', ')}`);
  const schemas = values.map((value) => ({ path: value.path, schema: schemaOf(value, exceptions) }));
  const root = schemas.reduce<Json>(place, {});
  const title = `The values of the chart ${basename(chart)}`;
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', title, ...root, definitions };
  // Patterns have characters that nobody would see.
  return JSON.stringify(schema).replace(new RegExp(`[${UNSEEN}]`, 'gu'), spelt);
}
