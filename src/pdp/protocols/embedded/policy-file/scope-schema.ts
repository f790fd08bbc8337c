import process from 'node:process';
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { SUBJECT } from '../../../../core/index.ts';
import { MOST_CLOCK_TOLERANCE } from '../../../../identity/index.ts';
import {
  always,
  claimPath,
  closed,
  countUpTo,
  expecting,
  flag,
  inOneForm,
  listOf,
  type Scope,
  type ScopeTokens,
  text,
} from '../../../policies/index.ts';
import { MAX_IDENTITY } from '../question.ts';
import { KeySetFileError, type KeySetReader } from './key-set-file.ts';

const publicKey = z.custom<JWK>(
  isPublicKey,
  'must be a public key (JWK) for signatures, not a private or secret one',
);

const keySet = z
  .looseObject(
    { keys: listOf(publicKey) },
    {
      error: expecting('a key set, { keys: [...] }, or the path of a JSON file with one'),
    },
  )
  .transform(({ keys }): JWTVerifyGetKey => createLocalJWKSet({ keys }));

/** A key set that nobody opened accepts no token. */
const unread = z.undefined().transform((): JWTVerifyGetKey => createLocalJWKSet({ keys: [] }));

/**
 * The schema of a scope (docs/policy-file.md#scopes).
 *
 * @param readKeySet reads key sets in files
 */
export function scopeSchema(readKeySet: KeySetReader): z.ZodType<Scope> {
  return closed({
    clientId: text,
    clientSecret: text.max(MAX_IDENTITY, `must have at most ${MAX_IDENTITY} characters`).optional(),
    entityTypeId: text.optional(),
    jwt: tokenTrust(readKeySet).optional(),
  }).refine((scope) => scope.clientSecret !== undefined || scope.jwt !== undefined, {
    error: 'must have a clientSecret, or jwt, or both',
    ...always,
  });
}

function tokenTrust(readKeySet: KeySetReader): z.ZodType<ScopeTokens> {
  const read = inOneForm<JWTVerifyGetKey>((value) => (value === undefined ? unread : keySet));
  const keySetFile = text.transform(readInto(readKeySet)).pipe(read);
  return closed({
    jwks: inOneForm<JWTVerifyGetKey>((value) => (typeof value === 'string' ? keySetFile : keySet)),
    issuer: text,
    audience: text,
    requireExpiration: flag.default(true),
    clockTolerance: countUpTo(MOST_CLOCK_TOLERANCE).default(0),
    entityId: claimPath.default(SUBJECT),
    entityTypeId: claimPath.optional(),
    actsForOthers: flag.default(false),
  });
}

function readInto(readKeySet: KeySetReader) {
  return (path: string, context: z.RefinementCtx): unknown => {
    try {
      return readKeySet(path);
    } catch (error) {
      if (!(error instanceof KeySetFileError)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  };
}

function isPublicKey(key: unknown): boolean {
  if (typeof key !== 'object' || key === null || 'd' in key || 'k' in key) return false;
  try {
    const { createPublicKey } = process.getBuiltinModule('node:crypto');
    createPublicKey({ key: { ...key }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
