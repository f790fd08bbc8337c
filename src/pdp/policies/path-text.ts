import _ from 'lodash';
import * as z from 'zod';
import {
  CLAIM_PATH_PATTERN,
  PATH_PATTERN,
  PathSyntaxError,
  parseClaimPath,
  parsePath,
  type ClaimPath,
} from '../../core/index.ts';
import { dialectOf, OWN_DIALECT } from './path-dialects.ts';
import { text } from './vocabulary.ts';

export const CLAIM_PATH_FORM =
  "a JSONPath such as $.roles[*] or $['https:region'], without filters or searches";

/** A path to a property (docs/path-syntax.md), as it was written. Paths of other dialects are refused: they would mask nothing. */
export const propertyPath = pathText(problemWithPath);

const LISTED_ALL =
  "is the property named all; write properties: all for every property, and $['all'] for a property of that name";

/** The same as one of several properties. */
export const listedPath = pathText(problemWithListedPath, [{ not: { const: 'all' } }]);

const YES_OR_NO = ['true', 'false', 'yes', 'no', 'on', 'off', 'none'];

/** What means yes or no elsewhere, and is no name of a property that identifies records. */
export const FLAGS: readonly string[] = YES_OR_NO.flatMap((word) => [
  word,
  _.upperFirst(word),
  word.toUpperCase(),
]);

/** The path of the property that identifies a record in the log of a dry run. */
export const identifierPath = pathText(problemWithIdentifier);

/** @param rules what the JSON schema of the chart says besides */
function pathText(problemWith: (path: string) => string | undefined, rules: readonly object[] = []) {
  return (
    text
      .superRefine((path, context) => {
        const problem = problemWith(path);
        if (problem !== undefined) context.addIssue(problem);
      })
      // For the JSON schema of the chart.
      .meta({ pattern: PATH_PATTERN, allOf: [{ pattern: OWN_DIALECT }, ...rules] })
  );
}

/** Why a text is not one of several paths to properties; undefined if it is one. */
export function problemWithListedPath(path: string): string | undefined {
  return path === 'all' ? LISTED_ALL : problemWithPath(path);
}

/** Why a text is not the path of a property that identifies records; undefined if it is one. */
export function problemWithIdentifier(path: string): string | undefined {
  return FLAGS.includes(path)
    ? 'must be the property that identifies a record, such as id; without it, the policy is enforced'
    : problemWithPath(path);
}

/** Why a text is not a path to a property; undefined if it is one. */
export function problemWithPath(path: string): string | undefined {
  return dialectOf(path) ?? syntaxProblem(path);
}

function syntaxProblem(path: string): string | undefined {
  try {
    parsePath(path);
    return undefined;
  } catch (error) {
    if (error instanceof PathSyntaxError) return `is not a path: ${error.message}`;
    throw error;
  }
}

/** A JSONPath that selects claims. */
export const claimPath = text
  .transform((path, context): ClaimPath => {
    const parsed = parseClaimPath(path);
    if (parsed !== undefined) return parsed;
    context.addIssue(`must be ${CLAIM_PATH_FORM}`);
    return z.NEVER;
  })
  // For the JSON schema of the chart.
  .meta({ pattern: CLAIM_PATH_PATTERN });
