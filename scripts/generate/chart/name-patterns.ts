import lodash from 'lodash';
import * as z from 'zod';

const named = z.object({ propertyNames: z.object({ pattern: z.string() }) });

/**
 * The names that a map may have, as `patternProperties`: of `propertyNames`, Helm names a wrong place. Without a pattern,
 * names are texts, as they always are.
 */
export function withNamePatterns(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { success, data } = named.safeParse(schema);
  const rest = lodash.omit(schema, 'propertyNames');
  if (!success) return rest;
  const patternProperties = { [data.propertyNames.pattern]: schema['additionalProperties'] };
  return { ...rest, patternProperties, additionalProperties: false };
}
