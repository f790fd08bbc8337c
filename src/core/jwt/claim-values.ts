import { elementsOf, isString, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { scalarTextAt } from '../json/text.ts';
import { EXPIRATION, selectClaims, type ClaimPath } from './claim-path.ts';

/** A string, number or boolean in a token's claims. */
interface ClaimValue {
  /** What a string says; a number or boolean exactly as the token has it. */
  readonly text: string;
  readonly isNumber: boolean;
}

/** What a token says about one thing: a single value, nothing, or something that has no single meaning. */
export type Statement = { readonly text: string } | 'absent' | 'unclear';

/** An identifier that is a number has one spelling: `1`, and neither `1.0` nor `1e0`. */
const PLAIN_INTEGER = /^-?(?:0|[1-9]\d*)$/u;

/**
 * The values at a path: the elements of a list, otherwise the value itself. Null is no value.
 *
 * @returns undefined if one of them is an object or a list in a list, which cannot be compared with text
 */
export function claimValues(claims: JsonDocument, path: ClaimPath): readonly ClaimValue[] | undefined {
  const nodes = selectClaims(claims, path).flatMap((node) => elementsAt(claims, node));
  const values = nodes
    .filter((node) => kindOf(claims, node) !== Kind.null)
    .map((node) => valueAt(claims, node));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/**
 * The identifier at a path: text that is not empty, or a whole number, alone or as the only element of a list. Everything
 * else that is present is unclear.
 */
export function identifierAt(claims: JsonDocument, path: ClaimPath): Statement {
  const nodes = selectClaims(claims, path);
  if (nodes.length === 0) return 'absent';
  const [node, ...others] = nodes.flatMap((one) => elementsAt(claims, one));
  if (node === undefined || others.length > 0) return 'unclear';
  const text = scalarTextAt(claims, node);
  const kind = kindOf(claims, node);
  const isClear = isString(kind) ? text !== '' : kind === Kind.number && PLAIN_INTEGER.test(text ?? '');
  return isClear && text !== undefined ? { text } : 'unclear';
}

/** When verified claims expire, in seconds since 1970; undefined if they do not say so by a number. */
export function expirationOf(claims: JsonDocument): number | undefined {
  const [node] = selectClaims(claims, EXPIRATION);
  return node !== undefined && kindOf(claims, node) === Kind.number
    ? Number(scalarTextAt(claims, node))
    : undefined;
}

function elementsAt(doc: JsonDocument, node: Node): readonly Node[] {
  return kindOf(doc, node) === Kind.array ? Array.from(elementsOf(doc, node)) : [node];
}

function valueAt(doc: JsonDocument, node: Node): ClaimValue | undefined {
  const text = scalarTextAt(doc, node);
  return text === undefined ? undefined : { text, isNumber: kindOf(doc, node) === Kind.number };
}
