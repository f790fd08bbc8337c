import lodash from 'lodash';
import * as z from 'zod';
import { configurationSchema, keyReferences } from './schema.ts';
import type { KeyReference } from './schema.ts';

/** Everything that is known of one key, read off the schema. */
export interface ConfigurationKey extends KeyReference {
  /** Dotted, such as `log.level`. */
  readonly key: string;
  /** What a value must be, in words that fit after "must be". */
  readonly expectation: string;
  readonly required: boolean;
  readonly default: unknown;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function groupShape(schema: z.core.$ZodType): Shape | undefined {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? inner.shape : undefined;
}

function expectation({ type, minimum, maximum, minLength, ...json }: z.core.JSONSchema.BaseSchema): string {
  if (json.anyOf !== undefined) return json.anyOf.map(expectation).join(', or ');
  if (json.const !== undefined) return String(json.const);
  if (json.enum !== undefined) return `one of ${json.enum.join(', ')}`;
  if (type === 'array') return 'a list';
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`;
  if (type === 'object') return mapExpectation(json);
  if (type === 'number') return `a number from ${minimum} to ${maximum}`;
  return minLength === undefined ? 'a string' : 'a non-empty string';
}

function mapExpectation({ properties, additionalProperties: entry }: z.core.JSONSchema.BaseSchema): string {
  const names = Object.keys(properties ?? {});
  if (names.length > 0)
    return names.length === 1 ? `a map with the key ${names[0]}` : `a map of ${names.join(', ')}`;
  const isKnown = typeof entry === 'object' && Object.keys(entry).length > 0;
  return isKnown ? `a map of names, each with ${expectation(entry)}` : 'a map';
}

/** What has to be made of the schema is made when it is asked for: a configuration without problems does not need it. */
function describeKey(key: string, schema: z.core.$ZodType): ConfigurationKey {
  const reference = keyReferences.get(schema);
  if (reference === undefined) throw new Error(`The configuration key ${key} has no reference`);
  const json = lodash.once(() => z.toJSONSchema(schema, { io: 'input' }));
  return {
    ...reference,
    key,
    get expectation() {
      return expectation(json());
    },
    get required() {
      return !z.safeParse(schema, undefined).success;
    },
    get default() {
      return json().default;
    },
  };
}

function keysOf(shape: Shape, prefix: string): readonly ConfigurationKey[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const group = groupShape(schema);
    return group === undefined ? [describeKey(prefix + name, schema)] : keysOf(group, `${prefix}${name}.`);
  });
}

/** Every key, in the order of the schema. */
export const CONFIGURATION_KEYS: readonly ConfigurationKey[] = keysOf(configurationSchema.shape, '');

function keysUnder(group: string): string {
  const prefix = `${group}.`;
  const names = CONFIGURATION_KEYS.filter(({ key }) => key.startsWith(prefix)).map(({ key }) =>
    key.slice(prefix.length),
  );
  return names.join(', ');
}

/** The first key of a group of keys; undefined if it is none. */
export function firstKeyOf(group: string): string | undefined {
  return CONFIGURATION_KEYS.find(({ key }) => key.startsWith(`${group}.`))?.key;
}

/** What the value of a key or of a group of keys must be, in words that fit after "must be". */
export function expectationOf(key: string): string {
  const known = CONFIGURATION_KEYS.find((one) => one.key === key)?.expectation;
  if (known !== undefined) return known;
  const below = schemaBelow(key.split('.'));
  if (below !== undefined) return expectation(below);
  const outer = CONFIGURATION_KEYS.find((one) => key.startsWith(`${one.key}.`));
  return outer === undefined ? `a map of ${keysUnder(key)}` : `as ${outer.key} has it in the documentation`;
}

/** The known keys next to an unknown one: those of the schema and their groups, or those of an entry whose name the file chooses. */
export function knownKeysNear(key: string): readonly string[] {
  const parent = key.split('.').slice(0, -1);
  const below = Object.keys(schemaBelow(parent)?.properties ?? {});
  return below.length > 0 ? below.map((name) => [...parent, name].join('.')) : keysAndGroups();
}

const keysAndGroups = lodash.once((): readonly string[] =>
  lodash.uniq(CONFIGURATION_KEYS.flatMap(({ key }) => withGroups(key))),
);

/** Such as `identity`, `identity.jwt` and `identity.jwt.issuer`. */
function withGroups(key: string): readonly string[] {
  const names = key.split('.');
  return names.map((_name, index) => names.slice(0, index + 1).join('.'));
}

/**
 * The schema of a key whose value is a map, such as `otherwise`, of an entry of a map whose names the file chooses, such as
 * `maskKeys.k.file`, or of a list, such as `routes.0.path`.
 */
function schemaBelow(path: readonly string[]): z.core.JSONSchema.BaseSchema | undefined {
  const [root = '', ...rest] = path;
  const schema: z.core.$ZodType | undefined = Object.entries(configurationSchema.shape).find(
    ([name]) => name === root,
  )?.[1];
  if (schema === undefined || (rest.length === 0 && groupShape(schema) !== undefined)) return undefined;
  const json = z.toJSONSchema(schema, { io: 'input' });
  return rest.reduce<z.core.JSONSchema.BaseSchema | undefined>(childOf, json);
}

function childOf(
  schema: z.core.JSONSchema.BaseSchema | undefined,
  name: string,
): z.core.JSONSchema.BaseSchema | undefined {
  const child = schema?.properties?.[name] ?? schema?.items ?? schema?.additionalProperties;
  return typeof child === 'object' && !Array.isArray(child) ? child : undefined;
}
