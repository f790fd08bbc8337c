import * as z from 'zod';
import { DEEPEST } from '../enforcement/index.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../telemetry/log/index.ts';
import { IDENTITY_KEYS } from '../identity/index.ts';
import { EXT_PROC_KEYS } from '../places/ext-proc/index.ts';
import { PROXY_KEYS } from '../places/proxy/index.ts';
import { ROUTE_KEYS } from '../places/routes/index.ts';
import { PROTOCOL_KEYS } from '../pdp/index.ts';
import { ASKING_KEYS } from './asking-keys.ts';
import { keyReferences } from '../yaml/index.ts';
import { MASKING_KEYS } from './masking-keys.ts';
import { pdpHostProblem, pdpUrlProblem } from './pdp-address.ts';
import { ROOT_WORD } from './root-word.ts';
import { SERVING_KEYS } from './serving-keys.ts';

export { keyReferences, type KeyReference } from '../yaml/index.ts';

const PATH = /^\/(?!\/)[^\s?#\\]*$/;
const PATH_PROBLEM = 'must be a path that begins with one /, without a query or fragment';

function text(problemOf: (value: string) => string | undefined) {
  return z.string().superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem !== undefined) context.addIssue(problem);
  });
}

/**
 * The one reference of every key of the configuration. To add a key, add it here: reading, error messages,
 * `docs/configuration.md` and the types follow. A group of keys is a strict object with `.prefault({})`.
 */
export const configurationSchema = z.strictObject({
  port: z.int().min(0).max(65_535).register(keyReferences, {
    description: 'The port to listen on; `0` picks any free port.',
    form: 'both',
    example: 5002,
  }),
  host: z.string().min(1).optional().register(keyReferences, {
    description: 'The name or IP address to listen on. Without it, the service listens on all addresses.',
    form: 'both',
    example: '127.0.0.1',
  }),
  workers: z
    .union([z.int().min(1).max(256), z.literal('auto')])
    .default(1)
    .register(keyReferences, {
      description:
        'How many processes serve the port; `auto` starts one for each processor core. A process that dies is ' +
        'restarted. On Kubernetes, leave it at 1 and scale the pods.',
      form: 'standalone',
    }),
  pdpUrl: text(pdpUrlProblem)
    .optional()
    .register(keyReferences, {
      description:
        'The address of the PDP. A URL with a path is the resolution endpoint itself, and the token endpoint is ' +
        '`pdpTokenPath` on the same host and port. `host:port`, with or without `http://` or `https://`, is ' +
        'combined with both paths.',
      form: 'both',
      example: 'pdp.example.com:8080',
    }),
  pdpHost: text(pdpHostProblem)
    .optional()
    .register(keyReferences, {
      description:
        'The host of the PDP, combined with `pdpPort` and both paths. It wins over `pdpUrl`. It may begin with ' +
        '`http://` or `https://`; otherwise, the scheme is https if `pdpPort` is 443, else http.',
      form: 'Kubernetes',
      example: 'pdp.example.com',
    }),
  pdpPort: z.int().min(1).max(65_535).optional().register(keyReferences, {
    description: 'The port of the PDP at `pdpHost`. Without it, the default port of the scheme.',
    form: 'Kubernetes',
    example: 8080,
  }),
  pdpResolutionPath: z
    .string()
    .regex(PATH, PATH_PROBLEM)
    .default('/api/runtime/resolution/v3')
    .register(keyReferences, {
      description: 'The path of the policy resolution endpoint, unless `pdpUrl` has one.',
      form: 'Kubernetes',
    }),
  pdpTokenPath: z
    .string()
    .regex(PATH, PATH_PROBLEM)
    .default('/api/runtime/token/v3')
    .register(keyReferences, {
      description: 'The path of the user access token endpoint, which the service calls in context mode.',
      form: 'Kubernetes',
    }),
  pdpTimeout: z.int().min(1).max(600_000).default(5000).register(keyReferences, {
    description:
      'How long one request to the PDP may take, from connecting to the last byte of the response.',
    unit: 'ms',
    form: 'both',
  }),
  ...PROTOCOL_KEYS,
  ...ASKING_KEYS,
  policyFile: z
    .string()
    .min(1)
    .optional()
    .register(keyReferences, {
      description:
        'A policy file for the embedded PDP, which then decides instead of a remote PDP. A relative path is ' +
        'relative to the folder of the configuration file.',
      form: 'both',
      example: 'policies.yaml',
    }),
  log: z
    .strictObject({
      level: z.enum(LOG_LEVELS).default('info').register(keyReferences, {
        description:
          'The least urgent level to log: `error`, `warn`, `info` or `debug`. Each level includes those before it.',
        form: 'both',
      }),
      format: z.enum(LOG_FORMATS).default('json').register(keyReferences, {
        description: '`json` logs one JSON object per line, `text` one readable line.',
        form: 'both',
      }),
    })
    .prefault({}),
  maxBody: z
    .int()
    .min(1)
    .max(256)
    .default(4)
    .register(keyReferences, {
      description:
        'The largest request body, before and after decompression. 1 MB is 1,048,576 bytes. A larger body gets ' +
        '413.',
      unit: 'MB',
      form: 'both',
    }),
  maxAnswer: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .register(keyReferences, {
      description:
        'The largest response body. Masks and literals can make it larger than the request. A larger one gets ' +
        '422. Without this key, the limit is four times `maxBody`.',
      unit: 'MB',
      form: 'both',
      example: 16,
    }),
  maxDepth: z.int().min(1).max(DEEPEST).default(512).register(keyReferences, {
    description: 'How deep objects and arrays may nest in a request body. A deeper body gets 422.',
    unit: 'levels',
    form: 'both',
  }),
  ...SERVING_KEYS,
  ...IDENTITY_KEYS,
  ...PROXY_KEYS,
  ...EXT_PROC_KEYS,
  ...ROUTE_KEYS,
  rootWord: z
    .string()
    .regex(ROOT_WORD, 'must be the name of a property, such as result, and not a path')
    .optional()
    .register(keyReferences, {
      description:
        "The name, not a path, of the payload's property that holds the records, such as `result`. If a payload does not have " +
        'it, the whole payload counts as its value, so that policy paths that begin with the root word fit both ' +
        'forms.',
      form: 'both',
      example: 'result',
    }),
  assetType: z.string().min(1).default('columns').register(keyReferences, {
    description: 'The asset type that the policies use for protected properties.',
    form: 'both',
  }),
  attrName: z
    .string()
    .min(1)
    .optional()
    .register(keyReferences, {
      description:
        "The asset attribute that names the property in the PDP's decision. Without it, the asset's own path is " +
        'the property, and the service refuses decisions with conditional or denied masks. With `policyFile`, it ' +
        'comes from that file. In the conditions of rules documents, it is `column` without this key.',
      form: 'both',
      example: 'column',
    }),
  object: z
    .string()
    .min(1)
    .optional()
    .register(keyReferences, {
      description:
        'The asset attribute that holds the prefix of the property, for properties nested below the protected ' +
        'object. It needs `attrName`, and must differ from it. With `policyFile`, it comes from that file. In the ' +
        'conditions of rules documents, it is `table` without this key.',
      form: 'both',
      example: 'table',
    }),
  ...MASKING_KEYS,
  filter: z.boolean().default(false).register(keyReferences, {
    description:
      'Whether the service removes whole records according to `FILTER` actions. If false, it only masks.',
    form: 'both',
  }),
  filterDefault: z
    .enum(['allow', 'deny'])
    .default('deny')
    .register(keyReferences, {
      description:
        'What happens to the records if filtering is on and the decision has no allowed `FILTER` rule: `deny` ' +
        'removes all records; `allow` keeps those that no rule denies and logs a warning.',
      form: 'both',
    }),
});

type Output = z.output<typeof configurationSchema>;

/** The configuration of the service, verified, with every default applied. Paths of files are absolute. */
export type Configuration = { readonly [Key in keyof Output]: Readonly<Output[Key]> };
