import { elementsOf, Kind, kindOf, namesOf, TOP, valueOf } from '../json/document.ts';
import type { JsonDocument, Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';

type Step = { readonly name: string } | { readonly index: number } | 'each';

/** A JSONPath that selects claims. `parseClaimPath` makes it. */
export type ClaimPath = readonly Step[];

const MEMBER = String.raw`\.(?<plain>[\p{L}_][\p{L}\p{N}_-]*)`;
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.:/ -]*`;
const BRACKETS = String.raw`\[(?:(?<each>\*)|(?<index>0|[1-9]\d{0,8})|'(?<single>${NAME})'|"(?<double>${NAME})")\]`;
/** A JSONPath of claims, in Go's syntax as well, for the JSON schemas of charts. */
export const CLAIM_PATH_PATTERN = String.raw`^\$(?:${MEMBER}|${BRACKETS})+$`;
/** Made when a path is parsed: that takes a millisecond, because of the classes of Unicode. */
let stepPattern: RegExp | undefined;

/** Where a token names its user (RFC 7519 §4.1.2). */
export const SUBJECT: ClaimPath = [{ name: 'sub' }];

/** When the token expires (RFC 7519 §4.1.4). */
export const EXPIRATION: ClaimPath = [{ name: 'exp' }];

/**
 * Parses the JSONPath of a claim: names, quoted names, indexes and `[*]`. Searches, filters and everything that could run
 * as code are refused.
 *
 * @returns undefined if the text is not such a JSONPath
 */
export function parseClaimPath(text: string): ClaimPath | undefined {
  if (!text.startsWith('$') || text.length === 1) return undefined;
  const steps: Step[] = [];
  const pattern = (stepPattern ??= new RegExp(`${MEMBER}|${BRACKETS}`, 'uy'));
  pattern.lastIndex = 1;
  while (pattern.lastIndex < text.length) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) return undefined;
    steps.push(stepFrom(groups));
  }
  return steps;
}

/** Every value at a path in a token's claims. */
export function selectClaims(claims: JsonDocument, path: ClaimPath): readonly Node[] {
  return path.reduce<readonly Node[]>(
    (nodes, step) => nodes.flatMap((node) => membersAt(claims, node, step)),
    [TOP],
  );
}

function stepFrom(groups: Readonly<Record<string, string | undefined>>): Step {
  const { each, index, plain, single, double } = groups;
  if (each !== undefined) return 'each';
  return index === undefined ? { name: plain ?? single ?? double ?? '' } : { index: Number(index) };
}

function membersAt(doc: JsonDocument, node: Node, step: Step): readonly Node[] {
  const kind = kindOf(doc, node);
  if (step === 'each') return kind === Kind.object ? valuesOf(doc, node) : elements(doc, node);
  if ('index' in step) return elements(doc, node).slice(step.index, step.index + 1);
  if (kind !== Kind.object) return [];
  return Array.from(namesOf(doc, node))
    .filter((name) => stringAt(doc, name) === step.name)
    .map(valueOf);
}

function valuesOf(doc: JsonDocument, object: Node): readonly Node[] {
  return Array.from(namesOf(doc, object), valueOf);
}

function elements(doc: JsonDocument, node: Node): readonly Node[] {
  if (kindOf(doc, node) !== Kind.array) return [];
  return Array.from(elementsOf(doc, node));
}
