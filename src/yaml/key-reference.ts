import * as z from 'zod';

/** The documentation of a key, in addition to its type and default, which the schema has. */
export interface KeyReference {
  /** What the key means: whole sentences in Markdown. */
  readonly description: string;
  /** Of a number. */
  readonly unit?: 'MB' | 'ms' | 'levels' | '%';
  /** The deployment form whose documentation has the key; either form accepts every key. */
  readonly form: 'both' | 'Kubernetes' | 'standalone';
  /** A value to try, if the default is not one. */
  readonly example?: string | number | boolean | readonly Readonly<Record<string, string | boolean>>[];
}

/** The reference of each key, for documentation, samples and `z.toJSONSchema(…, { metadata: keyReferences })`. */
export const keyReferences = z.registry<KeyReference>();
