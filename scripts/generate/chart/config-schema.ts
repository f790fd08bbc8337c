import { METHODS } from 'node:http';
import lodash from 'lodash';
import * as z from 'zod';
import { configurationSchema, keyReferences } from '../../../src/config/schema.ts';
import { PATH_PATTERN } from '../../../src/core/index.ts';
import { parametersSchema } from '../../../src/enforcement/index.ts';
import { routeMethod } from '../../../src/places/routes/section.ts';
import { withNamePatterns } from './name-patterns.ts';

export type Json = Readonly<Record<string, unknown>>;

const json = z.record(z.string(), z.unknown());

/**
 * What a schema says of ranges and forms. The chart's templates check these, so that all problems are told at once and in
 * the service's own words; the schema of the values is about types and unknown keys.
 */
const RANGES = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'enum', 'const'];
/** What the service's schema says of a key for its documentation alone, and what is required: nothing, where disabled. */
const NOT_FOR_VALUES = ['$schema', 'form', 'source', 'unit', 'example', 'required'];

const PATH: Json = { allOf: [{ pattern: PATH_PATTERN }] };

/** What the service checks by code, as a JSON schema. */
const FORMS: ReadonlyMap<object, Json> = new Map<object, Json>([
  [parametersSchema.shape.root.unwrap(), PATH],
  [parametersSchema.shape.assetId.unwrap(), PATH],
  [routeMethod, { enum: METHODS }],
]);

/** The JSON schema of the configuration, as the service has it, and what it says for charts. */
function serviceSchema(): Json {
  const written = z.toJSONSchema(configurationSchema, {
    io: 'input',
    metadata: keyReferences,
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema), FORMS.get(zodSchema));
    },
  });
  return json.parse(written);
}

/** The schema of one key, or of a group of them. */
export function schemaAt(path: readonly string[]): Json {
  return path.reduce((schema, name) => json.parse(json.parse(schema['properties'])[name]), serviceSchema());
}

/** Null means that a value is not given. */
function orNull({ type, enum: words }: Json): Json {
  return {
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(words !== undefined && { enum: [...z.array(z.unknown()).parse(words), null] }),
  };
}

/** What is below a key, no template checks: its ranges, and what it requires, are for the schema. */
function belowKey(written: unknown): unknown {
  if (!lodash.isPlainObject(written)) return written;
  const { type, enum: words, required, ...schema } = withNamePatterns(json.parse(written));
  return {
    ...orNull({ type, enum: words }),
    ...withParts(lodash.omit(schema, NOT_FOR_VALUES), belowKey),
    ...(required !== undefined && { required }),
  };
}

/** An element of a list is given in any case, so it is not null. Its form is for the templates. */
function elementOf(written: unknown): unknown {
  const element = belowKey(written);
  if (!lodash.isPlainObject(written)) return element;
  return {
    ...lodash.pick(json.parse(written), ['type', 'enum']),
    ...lodash.omit(json.parse(element), ['type', ...RANGES]),
  };
}

/** A schema with another one for each of its parts. */
function withParts(
  { properties, items, anyOf, ...schema }: Json,
  partOf: (written: unknown) => unknown,
): Json {
  return {
    ...schema,
    ...(anyOf !== undefined && { anyOf: z.array(z.unknown()).parse(anyOf).map(partOf) }),
    ...(items !== undefined && { items: elementOf(items) }),
    ...(properties !== undefined && { properties: lodash.mapValues(json.parse(properties), partOf) }),
  };
}

/** The types alone, down to the keys. */
function typesOnly(written: unknown): unknown {
  if (!lodash.isPlainObject(written)) return written;
  const { type, ...schema } = withNamePatterns(json.parse(written));
  // A key of several forms has their ranges.
  const isKey = 'form' in schema && !('anyOf' in schema);
  return {
    ...orNull({ type }),
    ...withParts(lodash.omit(schema, [...RANGES, ...NOT_FOR_VALUES]), isKey ? belowKey : typesOnly),
  };
}

/** The part of a chart's `values.schema.json` that is the configuration of the service. */
export function configTypes(): Json {
  return json.parse(typesOnly(serviceSchema()));
}
