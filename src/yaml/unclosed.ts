import lodash from 'lodash';
import { isCollection, isScalar, Scalar, visit, type Document } from 'yaml';
import { MAX_STEPS } from './place.ts';

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

/** What the parser reports. */
interface Fault {
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** Whether a message of the parser is about a bracket or quote that is not closed. */
export function isUnclosed(message: string): boolean {
  return MISSING.test(message);
}

/** Whether a message of the parser is about a quote that is not closed. */
export function isUnclosedQuote(message: string): boolean {
  return MISSING.exec(message)?.groups?.['quote'] !== undefined;
}

/** The brackets and quotes of a document. They are looked for once, however many faults it has. */
export class Enclosures {
  private readonly document: Document;
  private readonly text: string;
  /** Where those begin that end at an offset, in order. */
  private readonly startsByEnd = new Map<number, number[]>();
  /** Where brackets begin, in order, and the furthest end of these and all before. */
  private readonly brackets: number[] = [];
  private readonly ends: number[] = [];
  private isRead = false;

  constructor(document: Document, text: string) {
    this.document = document;
    this.text = text;
  }

  /**
   * Where the bracket or quote of a fault is opened. The parser reports its end, which is the next key or the end of the file.
   *
   * @returns undefined if the fault is another one
   */
  unclosedAt({ message, pos: [end] }: Fault): Unclosed | undefined {
    const { quote, bracket = '' } = MISSING.exec(message)?.groups ?? {};
    const opening = quote ?? OPENING[bracket];
    if (opening === undefined) return undefined;
    this.read();
    const offset = this.startsByEnd.get(end)?.findLast((start) => this.text.charAt(start) === opening);
    return offset === undefined
      ? undefined
      : { offset, missing: quote ?? bracket, isQuote: quote !== undefined };
  }

  /** Whether brackets are around a text. */
  areAround(offset: number): boolean {
    this.read();
    const before = lodash.sortedIndex(this.brackets, offset);
    return (this.ends[before - 1] ?? -1) > offset;
  }

  private read(): void {
    if (this.isRead) return;
    this.isRead = true;
    visit(this.document, {
      Value: (_, node, path) => {
        if (node.range && (isBracket(node) || isQuoted(node))) {
          const [start, end] = node.range;
          const starts = this.startsByEnd.get(end);
          if (starts) starts.push(start);
          else this.startsByEnd.set(end, [start]);
          if (isBracket(node)) this.addBracket(start, end);
        }
        return path.length > MAX_STEPS ? visit.SKIP : undefined;
      },
    });
  }

  private addBracket(start: number, end: number): void {
    this.brackets.push(start);
    this.ends.push(Math.max(end, this.ends.at(-1) ?? end));
  }
}

function isBracket(node: unknown): boolean {
  return isCollection(node) && node.flow === true;
}

function isQuoted(node: unknown): boolean {
  return isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);
}
