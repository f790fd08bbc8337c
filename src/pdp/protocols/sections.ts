import { z } from 'zod';
import { keyReferences } from '../../yaml/index.ts';
import { AUTHZEN_KEYS } from './authzen/section.ts';
import { OPA_KEYS } from './opa/section.ts';

/** The keys that say in which words a remote PDP is asked, those of each protocol included. */
export const PROTOCOL_KEYS = {
  pdpProtocol: z
    .enum(['resolution', 'opa', 'authzen'])
    .default('resolution')
    .register(keyReferences, {
      description:
        'What the PDP speaks: `resolution` is the protocol of the specification, `opa` the REST API of Open Policy ' +
        'Agent, `authzen` the OpenID AuthZEN Authorization API 1.0. With `opa`, `pdpUrl` is the URL of the document; ' +
        'with `opa` and `authzen`, the default of `filter` is true and that of `filterDefault` is `allow`.',
      form: 'both',
      source: 'addition',
    }),
  pdpAction: z.string().min(1).default('read').register(keyReferences, {
    description:
      'With `opa` and `authzen`: the name of the action that is asked about, unless the caller names one.',
    form: 'both',
    source: 'addition',
  }),
  pdpContext: z
    .record(z.string(), z.unknown())
    .default({})
    .register(keyReferences, {
      description:
        'With `opa` and `authzen`: what is added to the `context` of each question. For Cerbos, ' +
        '`cerbos.includeMeta: true` makes it send its outputs.',
      form: 'both',
      source: 'addition',
    }),
  bareDecision: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .register(keyReferences, {
      description:
        'With `opa` and `authzen`: what a permit without any rules means. It usually comes from a wrong path or a PDP ' +
        'that was not configured to send its masks, so `refuse` answers 502; `allow` returns the payload unchanged.',
      form: 'both',
      source: 'addition',
    }),
  ...OPA_KEYS,
  ...AUTHZEN_KEYS,
} as const;
