import * as z from 'zod';
import { keyReferences } from '../../yaml/index.ts';
import { AUTHZEN_KEYS } from './authzen/index.ts';
import { OPA_KEYS } from './opa/index.ts';

export { problemsWithMaskKeys } from './authzen/index.ts';

/** The keys that say in which words a remote PDP is asked, those of each protocol included. */
export const PROTOCOL_KEYS = {
  pdpProtocol: z
    .enum(['resolution', 'opa', 'authzen'])
    .default('resolution')
    .register(keyReferences, {
      description:
        'The protocol of the PDP: `resolution` is the policy resolution API, `opa` the REST API of Open Policy ' +
        'Agent, `authzen` the OpenID AuthZEN Authorization API 1.0. With `opa`, `pdpUrl` is the URL of the ' +
        'document. With `opa` and `authzen`, the default of `filter` is true and that of `filterDefault` is ' +
        '`allow`.',
      form: 'both',
    }),
  pdpAction: z.string().min(1).default('read').register(keyReferences, {
    description: 'With `opa` and `authzen`: the action in the question, unless the caller names one.',
    form: 'both',
  }),
  pdpContext: z
    .record(z.string(), z.unknown())
    .refine(
      (context) => !('vendor' in context),
      'must not have vendor: what callers send in vendor is sent there',
    )
    .default({})
    .register(keyReferences, {
      description:
        'With `opa` and `authzen`: entries that the service adds to the `context` of each question. Cerbos, for ' +
        'example, sends its outputs only with `cerbos.includeMeta: true`.',
      form: 'both',
    }),
  bareDecision: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .register(keyReferences, {
      description:
        'With `opa` and `authzen`: how to treat a permit without any rules, which usually means a wrong path or ' +
        'a PDP that is not configured to send its masks. `refuse` answers 502; `allow` returns the payload ' +
        'unchanged.',
      form: 'both',
    }),
  ...OPA_KEYS,
  ...AUTHZEN_KEYS,
} as const;
