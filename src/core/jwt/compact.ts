import { Kind, kindOf, TOP, type JsonDocument } from '../json/document.ts';
import { scan } from '../json/scan.ts';
import { JsonDepthError, JsonSyntaxError } from '../json/syntax-error.ts';
import { hasUniqueNames } from '../json/unique-names.ts';

/** Far deeper than claims nest. */
const MAX_DEPTH = 100;

const HEADER = 0;
const CLAIMS = 1;

/**
 * The header of a JWT (RFC 7515 §7.1).
 *
 * @returns undefined if the token has no readable header
 */
export function readTokenHeader(token: string): JsonDocument | undefined {
  return partOf(token, HEADER);
}

/**
 * The claims of a JWT, not verified.
 *
 * @returns undefined if the token has no readable claims
 */
export function readTokenClaims(token: string): JsonDocument | undefined {
  return partOf(token, CLAIMS);
}

/**
 * Reads the JSON of a header or of claims: one object. Text with a name that occurs twice has no clear meaning, so it is
 * not readable.
 */
export function readTokenObject(json: Buffer): JsonDocument | undefined {
  const doc = scanned(json);
  return doc && kindOf(doc, TOP) === Kind.object && hasUniqueNames(doc, TOP) ? doc : undefined;
}

function partOf(token: string, index: number): JsonDocument | undefined {
  const parts = token.split('.', 4);
  const part = parts[index];
  const json = part === undefined || parts.length !== 3 ? undefined : decoded(part);
  return json && readTokenObject(json);
}

/** Base64url has one spelling for each sequence of bytes; other spellings are not readable (RFC 7515 §2). */
function decoded(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

function scanned(json: Buffer): JsonDocument | undefined {
  try {
    return scan(json, MAX_DEPTH);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonDepthError) return undefined;
    throw error;
  }
}
