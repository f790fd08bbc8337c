import * as z from 'zod';
import { keyReferences } from '../../../yaml/index.ts';

/** The keys of the OPA protocol. */
export const OPA_KEYS = {
  pdpHeaders: z
    .array(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header field'))
    .default([])
    .register(keyReferences, {
      description:
        'With `pdpProtocol: opa`: the request headers that the policy finds in `input.headers`, with their names ' +
        "in lower case. OPA's decision logs contain these inputs.",
      form: 'both',
    }),
} as const;
