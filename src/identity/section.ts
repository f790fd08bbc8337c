import { z } from 'zod';
import { keyReferences } from '../yaml/index.ts';
import { ALGORITHMS } from './algorithms.ts';

const URL_PROBLEM = 'must be a URL that begins with https:// or http://, without a user name';

function isUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}

/** The keys that say which callers are believed (places §2). */
export const IDENTITY_KEYS = {
  identity: z
    .strictObject({
      required: z
        .boolean()
        .default(false)
        .register(keyReferences, {
          description:
            'Whether `/enforce` takes only requests with a valid bearer token, as `identity.jwt` has it. Others are ' +
            'answered with 401.',
          form: 'both',
          source: 'addition',
        }),
      jwt: z
        .strictObject({
          issuer: z.string().min(1).optional().register(keyReferences, {
            description: 'The `iss` of tokens that are believed. Required with `identity.jwt`.',
            form: 'both',
            source: 'addition',
            example: 'https://idp.example.com',
          }),
          audience: z
            .string()
            .min(1)
            .optional()
            .register(keyReferences, {
              description:
                'What `aud` of a token must have: a token for another service is not one for this service. Required with ' +
                '`identity.jwt`.',
              form: 'both',
              source: 'addition',
              example: 'customers-api',
            }),
          jwksUri: z
            .string()
            .refine(isUrl, URL_PROBLEM)
            .optional()
            .register(keyReferences, {
              description:
                'Where the public keys of the identity provider are. Without it, the document at ' +
                '`<issuer>/.well-known/openid-configuration` says so.',
              form: 'both',
              source: 'addition',
              example: 'https://idp.example.com/.well-known/jwks.json',
            }),
          algorithms: z
            .array(z.enum(ALGORITHMS))
            .min(1)
            .default([...ALGORITHMS])
            .register(keyReferences, {
              description: 'The algorithms that may have signed a token.',
              form: 'both',
              source: 'addition',
            }),
        })
        .prefault({}),
    })
    .prefault({}),
} as const;
