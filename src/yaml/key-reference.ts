import { z } from 'zod';

/** What is to be said of a key besides its type and default, which are the schema's own. */
export interface KeyReference {
  /** What the key means: whole sentences in Markdown. */
  readonly description: string;
  /** Of a number. */
  readonly unit?: 'MB' | 'ms' | 'levels' | '%';
  /** The deployment form whose documentation has the key; either form accepts every key. */
  readonly form: 'both' | 'Kubernetes' | 'standalone';
  /** The paragraph that the key comes from. */
  readonly source: string;
  /** A value to try, where the default is not one. */
  readonly example?: string | number | boolean | readonly Readonly<Record<string, string | boolean>>[];
}

/** The reference of each key, for documentation, samples and `z.toJSONSchema(…, { metadata: keyReferences })`. */
export const keyReferences = z.registry<KeyReference>();
