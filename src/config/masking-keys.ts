import * as z from 'zod';
import { keyReferences } from '../yaml/index.ts';

/** What policies may write in the brackets of `hash(…)`. */
const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/u;
const KEY_NAME_PROBLEM =
  'must be a name of at most 100 letters, digits, - and _ that begins with a letter or digit';

const maskKey = z.strictObject({ file: z.string().min(1) });

/** The keys that say how values are masked. */
export const MASKING_KEYS = {
  maskString: z.string().default('***').register(keyReferences, {
    description: 'The text that replaces a masked string. Masked values of other types become null.',
    form: 'both',
  }),
  maskShort: z
    .boolean()
    .default(false)
    .register(keyReferences, {
      description:
        'Whether a value that is too short for a partial mask such as `last(4)` gets the default mask instead of ' +
        'being shown in full. A policy file of the embedded PDP has its own `maskShort`, which wins.',
      form: 'both',
    }),
  maskKeys: z
    .record(z.string(), maskKey)
    .superRefine((keys, context) => {
      for (const name of Object.keys(keys)) {
        if (!KEY_NAME.test(name))
          context.addIssue({ code: 'custom', path: [name], message: KEY_NAME_PROBLEM });
      }
    })
    // For the JSON schema of the chart.
    .meta({ propertyNames: { pattern: KEY_NAME.source } })
    .default({})
    .register(keyReferences, {
      description:
        'The keys of the mask `hash(<name>)`: for each name, of letters, digits, `-` and `_`, `{ file: <path> }`. The content of the file is the ' +
        'key, at least 32 bytes. The service reads the file again when it changes; a relative path is relative ' +
        'to the folder of the configuration file.',
      form: 'both',
    }),
} as const;
