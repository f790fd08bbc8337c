import * as z from 'zod';
import { keyReferences } from '../yaml/index.ts';
import { ALGORITHMS } from './algorithms.ts';
import { MOST_CLOCK_TOLERANCE } from './clock-tolerance.ts';

const URL_PROBLEM = 'must be a URL that begins with https:// or http://, without a user name';

function isUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}

/** The keys that say which tokens of callers the service accepts. */
export const IDENTITY_KEYS = {
  identity: z
    .strictObject({
      required: z
        .boolean()
        .default(false)
        .register(keyReferences, {
          description:
            'Whether `/enforce` accepts only requests with a valid bearer token, as `identity.jwt` defines it. Other ' +
            'requests get 401.',
          form: 'both',
        }),
      jwt: z
        .strictObject({
          issuer: z.string().min(1).optional().register(keyReferences, {
            description: 'The `iss` that a valid token has. Required with `identity.jwt`.',
            form: 'both',
            example: 'https://idp.example.com',
          }),
          audience: z
            .string()
            .min(1)
            .optional()
            .register(keyReferences, {
              description:
                'The audience that a valid token has in `aud`. Tokens for another service are rejected. Required with ' +
                '`identity.jwt`.',
              form: 'both',
              example: 'customers-api',
            }),
          jwksUri: z
            .string()
            .refine(isUrl, URL_PROBLEM)
            .optional()
            .register(keyReferences, {
              description:
                "The URL of the identity provider's public keys. Without it, the service takes the URL from " +
                '`<issuer>/.well-known/openid-configuration`.',
              form: 'both',
              example: 'https://idp.example.com/.well-known/jwks.json',
            }),
          algorithms: z
            .array(z.enum(ALGORITHMS))
            .min(1)
            .default([...ALGORITHMS])
            .register(keyReferences, {
              description: 'The signature algorithms that a valid token may use.',
              form: 'both',
            }),
          clockTolerance: z
            .int()
            .min(0)
            .max(MOST_CLOCK_TOLERANCE * 1000)
            .default(0)
            .register(keyReferences, {
              description:
                'By how much the clock of the identity provider may differ. A token counts so much longer than its ' +
                '`exp` says, and so much sooner than its `nbf`.',
              unit: 'ms',
              form: 'both',
            }),
        })
        .prefault({}),
    })
    .prefault({}),
} as const;
