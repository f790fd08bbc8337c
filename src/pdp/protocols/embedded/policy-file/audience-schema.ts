import * as z from 'zod';
import { parseClaimPath } from '../../../../core/index.ts';
import type { Audience, ClaimTest } from '../policy.ts';
import { CLAIM_PATH_FORM } from './path-text.ts';
import { closed, inOneForm, listOf, mapOf, plainText } from './vocabulary.ts';

/** Booleans may be listed as they are: a claim is compared as text. */
const claimValue = inOneForm<string>((value) => {
  if (typeof value === 'boolean') return z.boolean().transform(String);
  return typeof value === 'string' ? plainText : z.string('must be text, a number, true or false');
});

const listedClaims = mapOf(listOf(claimValue)).refine(
  (tests) => Object.keys(tests).length > 0,
  'must name at least one claim',
);

const claims = listedClaims.transform((tests, context): ClaimTest[] =>
  Object.entries(tests).flatMap(([selector, values]) => {
    const claim = parseClaimPath(selector);
    if (claim !== undefined) return [{ claim, values }];
    context.issues.push({
      code: 'custom',
      path: [selector],
      input: selector,
      message: `is a key that must be ${CLAIM_PATH_FORM}`,
    });
    return [];
  }),
);

const audience: z.ZodType<Audience> = closed({
  entityIds: listOf(plainText).optional(),
  entityTypes: listOf(plainText).optional(),
  claims: claims.optional(),
}).refine(
  (described) => Object.keys(described).length > 0,
  'must name at least one of entityIds, entityTypes, claims',
);

/** Who a policy is for: one description, or several of which any is enough. */
export const audiences = inOneForm<Audience[]>((value) =>
  Array.isArray(value) ? listOf(audience) : audience.transform((one) => [one]),
);
