import lodash from 'lodash';
import * as z from 'zod';
import { policyFileSchema } from '../../../src/pdp/protocols/embedded/policy-file/file-schema.ts';
import { VALUE_PATTERN } from '../../../src/pdp/policies/condition-schema.ts';
import { policySchema } from '../../../src/pdp/policies/policy-schema.ts';
import { choices } from '../../../src/pdp/policies/vocabulary.ts';
import type { Json } from './config-schema.ts';
import { withNamePatterns } from './name-patterns.ts';
import { addRules } from './policy-rules.ts';

const json = z.record(z.string(), z.unknown());

const SCALAR = ['string', 'number'];
const TREE_KEYS = ['all', 'any'];

/** Samples of every kind of value that has a form of its own, each with the JSON schema of its kind. */
const KINDS: readonly { readonly sample: unknown; readonly kind: Json }[] = [
  { sample: '', kind: { type: SCALAR } },
  { sample: true, kind: { type: 'boolean' } },
  { sample: null, kind: { type: 'null' } },
  { sample: [], kind: { type: 'array' } },
  { sample: {}, kind: { type: 'object', not: { anyOf: TREE_KEYS.map((key) => ({ required: [key] })) } } },
  ...TREE_KEYS.map((key) => ({ sample: { [key]: [] }, kind: { type: 'object', required: [key] } })),
];

/** Names the schemas of several forms and collects their JSON schemas, which may refer to each other. */
class Definitions {
  readonly schemas: Record<string, Json> = {};
  readonly #names = new Map<object, string>();

  /** The JSON schema of what may be written. */
  of(schema: z.ZodType): Json {
    const written = z.toJSONSchema(schema, {
      io: 'input',
      target: 'draft-7',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const choose = choices.get(zodSchema);
        if (choose !== undefined) jsonSchema.$ref = this.#referenceTo(zodSchema, choose);
        addRules(jsonSchema);
      },
    });
    return asRead(json.parse(lodash.omit(written, '$schema')));
  }

  #referenceTo(schema: object, choose: (value: unknown) => z.ZodType): string {
    const name = this.#names.get(schema) ?? `form${this.#names.size + 1}`;
    if (!this.#names.has(schema)) {
      this.#names.set(schema, name);
      this.schemas[name] = oneOfForms(KINDS.map(({ sample, kind }) => [kind, this.of(choose(sample))]));
    }
    return `#/definitions/${name}`;
  }
}

/** Not a literal: an object with a `then` could be taken for a promise. */
function conditional(condition: Json, holds: Json, others: Json | true): Json {
  return lodash.fromPairs([
    ['if', condition],
    ['then', holds],
    ['else', others],
  ]);
}

/** What holds for each kind of value; the schema of most kinds is the last to be tried, without a condition. */
function oneOfForms(forms: readonly (readonly [kind: Json, schema: Json])[]): Json {
  const bySchema = lodash.groupBy(forms, ([, schema]) => JSON.stringify(schema));
  const groups = lodash.sortBy(Object.values(bySchema), (group) => group.length);
  const tried = groups.map((group) => ({
    kinds: group.map(([kind]) => kind),
    schema: group[0]?.[1] ?? {},
  }));
  const last = tried.pop()?.schema ?? {};
  return tried.reduceRight<Json>(
    (others, { kinds, schema }) => conditional({ anyOf: kinds }, schema, others),
    last,
  );
}

/**
 * A policy file is read with its numbers as text, and a chart's values are not: of `00123`, `1.10` and `NO`, Helm leaves 83, 1.1 and
 * false. So only what is compared as a number, or is a count, may be a number here, and all other texts have to be texts.
 */
function asRead(schema: Json): Json {
  const part = lodash.mapValues(withNamePatterns(lodash.omit(schema, 'default')), readPart);
  const read = 'propertyNames' in schema ? lodash.merge(part, WITHOUT_FLAGS) : part;
  if (schema['type'] !== 'string' || 'enum' in schema) return read;
  if (schema['pattern'] === COUNT) return countOf(read);
  return schema['pattern'] === VALUE_PATTERN ? { ...read, type: SCALAR } : read;
}

/** A count may be a number, and a text of few enough digits. */
function countOf(schema: Json): Json {
  const most = z.number().default(MOST_COUNTED).parse(schema['maximum']);
  const texts = most < MOST_COUNTED ? { allOf: [{ pattern: `^0*(?:${upTo(String(most))})$` }] } : {};
  return { ...schema, ...texts, type: ['string', 'integer'], minimum: 0, maximum: most };
}

/** The whole numbers up to one, which is written as its digits, without zeros in front. */
function upTo(most: string): string {
  const smaller = Array.from(most, (digit, at) => {
    const rest = most.length - at - 1;
    return digit === '0' ? [] : [`${most.slice(0, at)}[0-${Number(digit) - 1}]\\d{${rest}}`];
  });
  return [...(most.length > 1 ? [`\\d{1,${most.length - 1}}`] : []), ...smaller.flat(), most].join('|');
}

/** Names that Helm also makes of `yes`, `no`, `on` and `off`. */
const WITHOUT_FLAGS: Json = { properties: { true: false, false: false } };

/** How the vocabulary of policy files writes a whole number. */
const COUNT = String.raw`^\d{1,15}$`;
/** The same as a number. */
const MOST_COUNTED = 10 ** 15 - 1;

function readPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(readPart);
  return lodash.isPlainObject(part) ? asRead(json.parse(part)) : part;
}

/**
 * The JSON schema of a policy file among a chart's values, generated from the schema that the embedded PDP reads it by: so
 * that Helm refuses what the PDP would refuse, as far as a JSON schema can say it. Nothing, or an empty map, is no file.
 *
 * @returns the schema, and definitions that have to be at the root of the values' schema
 */
export function policiesSchema(): { readonly schema: Json; readonly definitions: Json } {
  const definitions = new Definitions();
  const file = definitions.of(policyFileSchema(policySchema('', undefined), () => ({})));
  const schema = {
    type: ['object', 'null'],
    ...conditional({ type: 'object', minProperties: 1 }, file, true),
  };
  return { schema, definitions: definitions.schemas };
}
