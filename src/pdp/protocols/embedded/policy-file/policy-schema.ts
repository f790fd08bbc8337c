import * as z from 'zod';
import type { Policy } from '../policy.ts';
import { actionSchema } from './action-schema.ts';
import { audiences } from './audience-schema.ts';
import { condition } from './condition-schema.ts';
import { checkConsistency } from './consistency.ts';
import { problemWithPath, propertyPath } from './path-text.ts';
import { always, closed, count, inOneForm, listOf, mapOf, oneOf, plainText, text } from './vocabulary.ts';

export const properties = inOneForm<string[] | 'all'>((value) =>
  typeof value === 'string' ? z.literal('all', 'must be a list of properties, or all') : listOf(propertyPath),
);

export const assetIds = inOneForm<string[] | 'all'>((value) =>
  typeof value === 'string' ? z.literal('all', 'must be a list of identifiers, or all') : listOf(plainText),
);

/** A misspelt DRY_RUN would enforce what is only to be tried, so what looks like one is refused. */
export const metadata = mapOf(plainText).superRefine((entries, context) => {
  const problem = entries['DRY_RUN'] === undefined ? undefined : problemWithPath(entries['DRY_RUN']);
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
    object: propertyPath.optional(),
    properties: properties.optional(),
    action: actionSchema(maskKeys),
    priority: count.optional(),
    when: condition.optional(),
    assets: closed({ type: text, ids: assetIds }).optional(),
    metadata: metadata.default({}),
  }).superRefine(checkConsistency, always);
}
