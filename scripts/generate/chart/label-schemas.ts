import type { Json } from './config-schema.ts';

/** A name of a host, or of most resources (RFC 1123). */
export const DNS_NAME = '[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*';
const NAME = '[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?';
/** The name of a label, as the API server takes it. */
export const LABEL_NAME = `(${DNS_NAME}/)?${NAME}`;
/** That of an annotation: the server looks at it in lower case. */
const ANNOTATION_NAME = `(${DNS_NAME.replaceAll('[a-z0-9', '[A-Za-z0-9')}/)?${NAME}`;

function mapOf(name: string, value: Json): Json {
  return {
    additionalProperties: false,
    patternProperties: { [`^${name}$`]: { type: ['string', 'null'], ...value } },
  };
}

/** Labels, and what nodes are selected by. Of numbers and booleans, the API server takes none. */
export const LABELS = mapOf(LABEL_NAME, { pattern: `^(${NAME})?$` });
export const ANNOTATIONS = mapOf(ANNOTATION_NAME, {});
