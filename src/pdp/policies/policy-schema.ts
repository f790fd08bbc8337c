import * as z from 'zod';
import type { Policy, Audience, ClaimTest } from './policy.ts';
import { actionSchema } from './action-schema.ts';
import { condition } from './condition-schema.ts';
import { checkConsistency } from './consistency.ts';
import { OWN_DIALECT } from './path-dialects.ts';
import { CLAIM_PATH_FORM, FLAGS, listedPath, problemWithIdentifier, propertyPath } from './path-text.ts';
import {
  always,
  closed,
  count,
  flagText,
  inOneForm,
  listOf,
  mapOf,
  oneOf,
  PLAIN_PATTERN,
  plainText,
  text,
} from './vocabulary.ts';
import { CLAIM_PATH_PATTERN, parseClaimPath, PATH_PATTERN } from '../../core/index.ts';

export const properties = listOrAll('properties', listOf(listedPath));
export const assetIds = listOrAll('identifiers', listOf(plainText));

function listOrAll(what: string, list: z.ZodType<string[]>) {
  const all = z.literal('all', `must be a list of ${what}, or all`);
  return inOneForm<string[] | 'all'>((value) => (typeof value === 'string' ? all : list));
}

/** The names whose letters are others than those of DRY_RUN, in any case, in Go's syntax as well. */
const UNLIKE_DRY_RUN = `^(?i:${Array.from('dryrun').reduceRight(unlike, '[^a-z]*[a-z]')})`;
const IS_UNLIKE_DRY_RUN = new RegExp(UNLIKE_DRY_RUN, 'u');

/** A name that ends before a letter, has another one in its place, or goes on with what is unlike the rest. */
function unlike(rest: string, letter: string): string {
  const others = 'abcdefghijklmnopqrstuvwxyz'.replace(letter, '');
  return `[^a-z]*(?:$|[${others}]|${letter}${rest})`;
}

/** A misspelt DRY_RUN would enforce what is only to be tried, so what looks like one is refused. */
export const metadata = mapOf(plainText)
  .superRefine((entries, context) => {
    const problem = entries['DRY_RUN'] === undefined ? undefined : problemWithIdentifier(entries['DRY_RUN']);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['DRY_RUN'], message: problem });
    for (const key of Object.keys(entries)) {
      if (!isMisspeltDryRun(key)) continue;
      context.addIssue({
        code: 'custom',
        path: [key],
        message: 'is not a known key; the nearest one is DRY_RUN',
      });
    }
  })
  // For the JSON schema of the chart.
  .meta({
    properties: {
      DRY_RUN: {
        type: 'string',
        pattern: PATH_PATTERN,
        allOf: [{ pattern: PLAIN_PATTERN }, { pattern: OWN_DIALECT }, { not: { enum: FLAGS } }],
      },
    },
    propertyNames: { pattern: UNLIKE_DRY_RUN },
  });

export function isMisspeltDryRun(key: string): boolean {
  return key !== 'DRY_RUN' && !IS_UNLIKE_DRY_RUN.test(key);
}

/** How the JSON schema of the chart finds the rules between the members of a policy. */
const IN_CHART = { rules: 'policy' };

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
    object: propertyPath.optional(),
    properties: properties.optional(),
    action: actionSchema(maskKeys),
    priority: count.optional(),
    when: condition.optional(),
    assets: closed({ type: text, ids: assetIds }).optional(),
    metadata: metadata.default({}),
  })
    .superRefine(checkConsistency, always)
    .meta(IN_CHART);
}

const noClaimValue = z.string('must be text, a number, true or false');

/** In the values of a chart it has to be in quotes: of `NO`, Helm leaves false as well. */
const flagClaim = flagText.meta({ type: 'string' });

/** Booleans may be listed as they are: a claim is compared as text. */
const claimValue = inOneForm<string>((value) => {
  if (typeof value === 'boolean') return flagClaim;
  return typeof value === 'string' ? plainText : noClaimValue;
});

const listedClaims = mapOf(listOf(claimValue))
  .refine((tests) => Object.keys(tests).length > 0, 'must name at least one claim')
  // For the JSON schema of the chart.
  .meta({ minProperties: 1, propertyNames: { pattern: CLAIM_PATH_PATTERN } });

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
})
  .refine(
    (described) => Object.keys(described).length > 0,
    'must name at least one of entityIds, entityTypes, claims',
  )
  .meta({ minProperties: 1 });

/** Who a policy is for: one description, or several of which any is enough. */
const audiences = inOneForm<Audience[]>((value) => (Array.isArray(value) ? listedAudiences : oneAudience));
const listedAudiences = listOf(audience);
const oneAudience = audience.transform((one) => [one]);
