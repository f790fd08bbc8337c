import type { Json } from './config-schema.ts';

const PREFIX = '[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*/';
const NAME = '[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?';
/** The name of a label, as the API server takes it. */
export const LABEL_NAME = `(${PREFIX})?${NAME}`;
/** That of an annotation: the server looks at it in lower case. */
const ANNOTATION_NAME = `(${PREFIX.replaceAll('[a-z0-9', '[A-Za-z0-9')})?${NAME}`;

function mapOf(name: string, value: Json): Json {
  return {
    additionalProperties: false,
    patternProperties: { [`^${name}$`]: { type: ['string', 'null'], ...value } },
  };
}

/** Labels, and what nodes are selected by. Of numbers and booleans, the API server takes none. */
export const LABELS = mapOf(LABEL_NAME, { pattern: `^(${NAME})?$` });
export const ANNOTATIONS = mapOf(ANNOTATION_NAME, {});
