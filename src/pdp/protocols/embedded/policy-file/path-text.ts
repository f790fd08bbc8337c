import * as z from 'zod';
import { PathSyntaxError, parseClaimPath, parsePath, type ClaimPath } from '../../../../core/index.ts';
import { text } from './vocabulary.ts';

export const CLAIM_PATH_FORM =
  "a JSONPath such as $.roles[*] or $['https:region'], without filters or searches";

/** A path to a property (specification 2.6), as it was written. */
export const propertyPath = text.superRefine((path, context) => {
  try {
    parsePath(path);
  } catch (error) {
    if (!(error instanceof PathSyntaxError)) throw error;
    context.addIssue(`is not a path: ${error.message}`);
  }
});

/** A JSONPath that selects claims. */
export const claimPath = text.transform((path, context): ClaimPath => {
  const parsed = parseClaimPath(path);
  if (parsed !== undefined) return parsed;
  context.addIssue(`must be ${CLAIM_PATH_FORM}`);
  return z.NEVER;
});
