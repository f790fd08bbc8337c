import { JSONPath } from 'jsonpath-plus';

/** The claims of a token: the decoded payload of a JWT. */
export type Claims = Readonly<Record<string, unknown>>;

/** A JSONPath that was found safe to evaluate; `parseClaimPath` makes them. */
export interface ClaimPath {
  readonly jsonPath: string;
}

const STEP = String.raw`\.[\p{L}_][\p{L}\p{N}_-]*`;
const QUOTED_NAME = String.raw`[\p{L}_][\p{L}\p{N}_.:/ -]*`;
const BRACKETS = String.raw`\[(?:\*|0|[1-9]\d{0,8}|'${QUOTED_NAME}'|"${QUOTED_NAME}")\]`;

/**
 * The JSONPath that selects claims: names, quoted names, indexes and `[*]`, nothing that searches, filters or runs.
 * jsonpath-plus reads much that is malformed as something else, so it only gets what passes here.
 */
const CLAIM_PATH = new RegExp(`^\\$(?:${STEP}|${BRACKETS})+$`, 'u');

/** Where a token names its user (RFC 7519 §4.1.2). */
export const SUBJECT: ClaimPath = { jsonPath: '$.sub' };

/** @returns undefined where the text is no JSONPath of the kind that selects claims */
export function parseClaimPath(text: string): ClaimPath | undefined {
  return CLAIM_PATH.test(text) ? { jsonPath: text } : undefined;
}

/**
 * What stands at a path in the claims, as text: a list stands for its elements, numbers and booleans for their JSON, and
 * objects and null for nothing.
 */
export function claimValues(claims: Claims, { jsonPath }: ClaimPath): string[] {
  const found: unknown = JSONPath({
    path: jsonPath,
    json: claims,
    resultType: 'all',
    wrap: true,
    eval: false,
  });
  return elements(found)
    .filter(isMember)
    .flatMap(({ value }) => elements(value))
    .flatMap(asText);
}

/** What jsonpath-plus finds, with where it stands. */
interface Member {
  readonly value: unknown;
}

/** jsonpath-plus takes the `length` of lists and texts, and the characters of texts, for members of the JSON. */
function isMember(found: unknown): found is Member {
  if (!isObject(found) || !('value' in found && 'parent' in found && 'parentProperty' in found)) return false;
  return isObject(found.parent) && !(Array.isArray(found.parent) && found.parentProperty === 'length');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function asText(value: unknown): string[] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [String(value)]
    : [];
}
