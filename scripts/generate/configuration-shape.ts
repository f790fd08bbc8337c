import * as z from 'zod';
import type { Key, Shape } from '../../src/config/accept.ts';
import { configurationSchema } from '../../src/config/schema.ts';

/** `shape.ts`: what the values of the configuration may be, as far as that can be said without the schema. */
export function configurationShape(): string {
  const shape = JSON.stringify(groupOf(configurationSchema));
  return `// Written by \`npm run docs\` from the schema.
import type { Key } from './accept.ts';

/** The keys of the configuration. */
export const CONFIGURATION_SHAPE: Key = ${shape};`;
}

function groupOf({ shape }: z.ZodObject): Key {
  const keys = Object.entries(shape).map(([name, schema]) => [name, keyOf(schema)] as const);
  return { kind: 'group', keys: Object.fromEntries(keys) };
}

function keyOf(schema: z.core.$ZodType): Key {
  if (schema instanceof z.ZodPrefault) return keyOf(schema.unwrap());
  if (schema instanceof z.ZodDefault) return { ...keyOf(schema.unwrap()), standard: schema.def.defaultValue };
  if (schema instanceof z.ZodOptional) return { ...keyOf(schema.unwrap()), isOptional: true };
  if (schema instanceof z.ZodObject && !isRefined(schema)) return groupOf(schema);
  return shapeOf(schema);
}

function shapeOf(schema: z.core.$ZodType): Shape {
  if (isRefined(schema)) return { kind: 'other' };
  if (schema instanceof z.ZodBoolean) return { kind: 'flag' };
  if (schema instanceof z.ZodEnum) return { kind: 'word', of: schema.options.map(String) };
  if (schema instanceof z.ZodLiteral) return { kind: 'word', of: [...schema.values].map(String) };
  if (schema instanceof z.ZodUnion) return { kind: 'either', of: schema.options.map(shapeOf) };
  if (schema instanceof z.ZodString) return { kind: 'text', least: schema.minLength ?? 0 };
  if (schema instanceof z.ZodNumber) return numberOf(schema);
  return { kind: 'other' };
}

function numberOf({ isInt, minValue, maxValue }: z.ZodNumber): Shape {
  if (minValue === null || maxValue === null) return { kind: 'other' };
  return { kind: isInt ? 'integer' : 'number', least: minValue, most: maxValue };
}

/** The checks that a shape can say. */
const SAID: ReadonlySet<string> = new Set(['number_format', 'greater_than', 'less_than', 'min_length']);

/** Whether a schema verifies what a shape cannot say. */
function isRefined(schema: z.core.$ZodType): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- where zod keeps what a schema is made of, for tools such as this one
  const { checks = [] } = schema._zod.def;
  // oxlint-disable-next-line no-underscore-dangle -- the same
  return checks.some((check) => !SAID.has(check._zod.def.check));
}
