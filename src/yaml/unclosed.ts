import { isCollection, isScalar, Scalar, visit, type Document, type Range } from 'yaml';

/** How deep a document is searched, in steps: deeper ones are refused for that. */
const MAX_STEPS = 400;

/** Each with what opens it. */
const OPENING: Readonly<Record<string, string>> = { ']': '[', '}': '{' };
/** How the parser says what is missing. */
const MISSING = /^Missing closing (?<quote>.)quote$|end with a (?<bracket>[\]}])$/u;

/** A bracket or quote that is not closed. */
export interface Unclosed {
  /** Of what opens it. */
  readonly offset: number;
  /** What would close it. */
  readonly missing: string;
  readonly isQuote: boolean;
}

/** Whether a message of the parser is about a bracket or quote that is not closed. */
export function isUnclosed(message: string): boolean {
  return MISSING.test(message);
}

/** Whether a message of the parser is about a quote that is not closed. */
export function isUnclosedQuote(message: string): boolean {
  return MISSING.exec(message)?.groups?.['quote'] !== undefined;
}

/**
 * Where the bracket or quote that is not closed is opened. The parser reports its end, which is the next key or the end of
 * the file.
 *
 * @param message the parser's
 */
export function unclosedAt(
  document: Document,
  text: string,
  { message, pos: [end] }: { readonly message: string; readonly pos: readonly [number, number] },
): Unclosed | undefined {
  const { quote, bracket = '' } = MISSING.exec(message)?.groups ?? {};
  const opening = quote ?? OPENING[bracket];
  const ranges = quote === undefined ? bracketsIn(document) : rangesOf(document, isQuoted);
  const offset = ranges.findLast(([start, stop]) => stop === end && text.charAt(start) === opening)?.[0];
  return offset === undefined
    ? undefined
    : { offset, missing: quote ?? bracket, isQuote: quote !== undefined };
}

/** Whether a text is between brackets. */
export function isInBrackets(document: Document, offset: number): boolean {
  return bracketsIn(document).some(([start, stop]) => start < offset && offset < stop);
}

function bracketsIn(document: Document): readonly Range[] {
  return rangesOf(document, (node) => isCollection(node) && node.flow === true);
}

function isQuoted(node: unknown): boolean {
  return isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);
}

function rangesOf(document: Document, isMeant: (node: unknown) => boolean): readonly Range[] {
  const ranges: Range[] = [];
  visit(document, {
    Value: (_, node, path) => {
      if (node.range && isMeant(node)) ranges.push(node.range);
      return path.length > MAX_STEPS ? visit.SKIP : undefined;
    },
  });
  return ranges;
}
