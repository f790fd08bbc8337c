import * as z from 'zod';
import { parsePath } from '../../../../core/paths/parse.ts';
import { PathSyntaxError } from '../../../../core/paths/syntax-error.ts';
import { parseClaimPath, type ClaimPath } from '../../../../core/jwt/index.ts';
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
