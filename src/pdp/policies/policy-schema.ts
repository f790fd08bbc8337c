import * as z from 'zod';
import type { Policy, Audience, ClaimTest } from './policy.ts';
import { actionSchema } from './action-schema.ts';
import { condition } from './condition-schema.ts';
import { checkConsistency } from './consistency.ts';
import {
  CLAIM_PATH_FORM,
  policyPath,
  problemWithPath,
  problemWithPolicyPath,
  propertyPath,
} from './path-text.ts';
import {
  always,
  closed,
  count,
  flagText,
  inOneForm,
  listOf,
  mapOf,
  oneOf,
  plainText,
  text,
} from './vocabulary.ts';
import { parseClaimPath } from '../../core/index.ts';

const LISTED_ALL =
  "is the property named all; write properties: all for every property, and $['all'] for a property of that name";

export const properties = listOrAll('properties', listOf(propertyPath));
const policyProperties = listOrAll(
  'properties',
  listOf(policyPath.refine((path) => path !== 'all', LISTED_ALL)),
);
export const assetIds = listOrAll('identifiers', listOf(plainText));

function listOrAll(what: string, list: z.ZodType<string[]>) {
  const all = z.literal('all', `must be a list of ${what}, or all`);
  return inOneForm<string[] | 'all'>((value) => (typeof value === 'string' ? all : list));
}

export const metadata = metadataOf(problemWithPath);
const policyMetadata = metadataOf(problemWithPolicyPath);

/** A misspelt DRY_RUN would enforce what is only to be tried, so what looks like one is refused. */
function metadataOf(problemWith: (path: string) => string | undefined) {
  return mapOf(plainText).superRefine((entries, context) => {
    const problem = entries['DRY_RUN'] === undefined ? undefined : problemWith(entries['DRY_RUN']);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['DRY_RUN'], message: problem });
    for (const key of Object.keys(entries)) {
      if (!isMisspeltDryRun(key)) continue;
      context.addIssue({
        code: 'custom',
        path: [key],
        message: 'is not a known key; the nearest one is DRY_RUN',
      });
    }
  });
}

export function isMisspeltDryRun(key: string): boolean {
  return key !== 'DRY_RUN' && key.replaceAll(/[^a-z]/gi, '').toUpperCase() === 'DRYRUN';
}

/**
 * The schema of a policy.
 *
 * @param defaultAssetType the asset type of a policy that names none
 * @param maskKeys the names that hashes may use; any if undefined
 */
export function policySchema(
  defaultAssetType: string,
  maskKeys: ReadonlySet<string> | undefined,
): z.ZodType<Policy> {
  return closed({
    name: text.max(100, 'must have at most 100 characters'),
    scopes: listOf(text).optional(),
    for: audiences.optional(),
    except: audiences.optional(),
    assetType: text.default(defaultAssetType),
    effect: oneOf(['allowed', 'denied']).default('allowed'),
    object: policyPath.optional(),
    properties: policyProperties.optional(),
    action: actionSchema(maskKeys),
    priority: count.optional(),
    when: condition.optional(),
    assets: closed({ type: text, ids: assetIds }).optional(),
    metadata: policyMetadata.default({}),
  }).superRefine(checkConsistency, always);
}

const noClaimValue = z.string('must be text, a number, true or false');

/** Booleans may be listed as they are: a claim is compared as text. */
const claimValue = inOneForm<string>((value) => {
  if (typeof value === 'boolean') return flagText;
  return typeof value === 'string' ? plainText : noClaimValue;
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
const audiences = inOneForm<Audience[]>((value) => (Array.isArray(value) ? listedAudiences : oneAudience));
const listedAudiences = listOf(audience);
const oneAudience = audience.transform((one) => [one]);
