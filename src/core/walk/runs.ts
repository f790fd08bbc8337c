import { Kind, type JsonDocument, type Node } from '../json/document.ts';
import { Piece } from '../json/piece.ts';

// What is exported is looked up each time, what is not is a constant in compiled code.
const LAST_STRING = Kind.escapedString;
const NULL = Kind.null;
const OBJECT = Kind.object;
const SPACE = 0x20;
const COMMA = 0x2c;
const CLOSE_ARRAY = 0x5d;
/** How many words `{}` has on the tape, and how many bytes it has with a comma. */
const EMPTY_WORDS = 3;
const EMPTY_BYTES = 3;

/** How many values are written in one piece, and how long the text of each may be, in bytes. */
const MOST = 32;
const MAX_LENGTH = 16;

/** Texts repeated with commas between them, by how often. */
const REPEATED = new WeakMap<Piece, (Piece | undefined)[]>();

/**
 * How many scalars from one on, all strings or none, follow one another in an array with a comma alone after each. The last element of
 * an array is never among them.
 *
 * @param stop the node after the array
 */
export function runAt({ tape, bytes }: JsonDocument, first: Node, stop: Node): number {
  const last = Math.min(first + MOST, stop - 1);
  let node = first;
  let word = tape[first]!;
  const areStrings = (word & 7) <= LAST_STRING;
  while (node < last) {
    const kind = word & 7;
    if (kind >= NULL || kind <= LAST_STRING !== areStrings) break;
    const following = tape[node + 1]!;
    const end = (following >>> 3) - 1;
    if (bytes[end] !== COMMA) break;
    // After a closing bracket, what follows is in another array.
    const before = bytes[end - 1]!;
    if (before <= SPACE || before === CLOSE_ARRAY) break;
    word = following;
    node++;
  }
  return node - first;
}

/** The same for `{}`: yields where the first element is that is none of them. */
export function endOfEmptyRun({ tape, bytes }: JsonDocument, first: Node, stop: Node): Node {
  const last = Math.min(first + MOST * EMPTY_WORDS, stop - 1);
  let node = first;
  while (node < last && (tape[node]! & 7) === OBJECT && tape[node + 1] === node + EMPTY_WORDS) {
    const next = (tape[node]! >>> 3) + EMPTY_BYTES;
    if (bytes[next - 1] !== COMMA || tape[node + EMPTY_WORDS]! >>> 3 !== next) break;
    node += EMPTY_WORDS;
  }
  return node;
}

/** Whether a piece is short enough to be repeated. */
export function isRepeatable({ length }: Piece): boolean {
  return length <= MAX_LENGTH;
}

/** A piece so many times, with commas in between. */
export function repeated(piece: Piece, count: number): Piece {
  const known = REPEATED.get(piece) ?? [];
  if (known.length === 0) REPEATED.set(piece, known);
  return (known[count] ??= Piece.of(Array.from({ length: count }, () => piece.toString()).join(',')));
}
