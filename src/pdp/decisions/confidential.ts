import { NumberText, TOP, bufferOf, scan, valueAt, type JsonValue } from '../../core/index.ts';
import type { Sent } from '../port.ts';
import { isObject } from './json-answer.ts';

/** A question that is longer, in bytes, or nests deeper is not searched: it would hold up others for longer than a reason is worth. */
const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 100;

/** Header fields that carry credentials, under whatever name a gateway chose. */
const CREDENTIAL_FIELD =
  /assertion|auth|bearer|cookie|credential|jwt|key|passwd|password|pwd|secret|session|token/i;
/**
 * Names of members of the PDP request that hold credentials, and those that hold asset identifiers from the payload: `path`
 * of the resolution protocol, and `ids` of OPA's input.
 */
const CONFIDENTIAL_MEMBER =
  /assertion|auth(?!ors?$)|bearer|cookie|credential|jwt|key|passphrase|passwd|password|pwd|secret|session|token|^(?:pass|pin|otp|path|ids)$/i;
/** The one that holds them in the evaluations of AuthZEN. */
const ASSET_ID = /^id$/;

/** Shorter parts of a header, such as the name of a cookie, occur in any sentence. */
const MIN_PART = 4;
/** Such a value occurs inside the words of nearly every text: an asset may be named `a` or `1`. */
const SHORT_WORD = /^[a-z0-9]{1,3}$/;
/** The shortest word of a sentence that is taken for a piece of a credential when it is found in one. */
const MIN_PIECE = 8;

/**
 * Whether a text of the PDP quotes, as a whole or in pieces, anything confidential: credentials from the header or the
 * body of the question, or asset identifiers, which are payload values.
 *
 * When in doubt it is true, also if the body of the question cannot be read or is long. Letter case does not matter.
 */
export function quotesConfidential(text: string, question: Sent): boolean {
  const confidential = confidentialIn(question);
  if (confidential === undefined) return true;
  const said = folded(text);
  const words = new Set(said.match(/[a-z0-9]+/g));
  const pieces = said.split(/[^\w+/=-]+/).filter((word) => word.length >= MIN_PIECE);
  return confidential
    .flatMap(spellingsOf)
    .map(folded)
    .some((value) => {
      if (SHORT_WORD.test(value)) return words.has(value);
      return said.includes(value) || pieces.some((piece) => value.includes(piece));
    });
}

/** The value as it is, and as JSON, a URL and a query write it. */
function spellingsOf(value: string): readonly string[] {
  const encoded = encodeURIComponent(value.toWellFormed());
  return [value, JSON.stringify(value).slice(1, -1), encoded, encoded.replaceAll('%20', '+')];
}

/** A PDP may write what it quotes in another letter case or normal form. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function confidentialIn({ headers, body }: Sent): readonly string[] | undefined {
  const members = membersOf(body);
  return members && [...headers.flatMap(credentialsIn), ...members];
}

/** The scheme before a credential is not secret; one value can hold several cookies or parameters. */
function credentialsIn([name, value]: Sent['headers'][number]): readonly string[] {
  if (!CREDENTIAL_FIELD.test(name)) return [];
  const parts = value.replace(/^(?:basic|bearer|digest|negotiate)\s/i, '').split(/[\s;,="]+/);
  return [...parts, ...passwordIn(value)].filter((part) => part.length >= MIN_PART);
}

/** The password of `Basic` credentials (RFC 7617 §2). */
function passwordIn(value: string): readonly string[] {
  const encoded = /^basic\s+(?<text>\S+)/i.exec(value)?.groups?.['text'];
  if (encoded === undefined) return [];
  const [, ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return password.length === 0 ? [] : [password.join(':')];
}

function membersOf(body: Uint8Array): readonly string[] | undefined {
  if (body.byteLength > MAX_BYTES) return undefined;
  try {
    const asked = valueAt(scan(bufferOf(body), MAX_DEPTH), TOP);
    return [...confidentialMembers(asked, ''), ...assetsIn(asked)];
  } catch {
    return undefined;
  }
}

/** Evaluations about assets have the resource of the whole question next to them; others are about properties. */
function assetsIn(asked: JsonValue): Iterable<string> {
  if (!isObject(asked) || asked['resource'] === undefined) return [];
  return confidentialMembers(asked['evaluations'] ?? null, '', ASSET_ID);
}

/** An element of an array goes by the name of the array. */
function* confidentialMembers(
  value: JsonValue,
  name: string,
  confidential = CONFIDENTIAL_MEMBER,
): Generator<string> {
  if (value === null || typeof value === 'boolean' || value === '') return;
  if (typeof value === 'string' || typeof value === 'number' || value instanceof NumberText) {
    if (confidential.test(name)) yield String(value);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    yield* confidentialMembers(member, Array.isArray(value) ? name : key, confidential);
  }
}
