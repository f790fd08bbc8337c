/** One change to a text: the bytes from `start` up to `end` give way to `text`. Where both are the same, it is inserted. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: Buffer;
}

/** Pieces shorter than this are copied byte by byte: a native call costs more than so few bytes. */
const SHORT_PIECE = 64;

/**
 * A part of a text with changes spliced in; every byte that no change covers is the same byte.
 *
 * @param bytes the text
 * @param from the part's first byte
 * @param to the byte behind the part
 * @param edits within the part, not overlapping, in any order; at one place the order given counts
 * @returns the part itself, not a copy, where there are no changes
 */
export function splice(bytes: Buffer, from: number, to: number, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes.subarray(from, to);
  const ordered = inOrder(edits);
  const target = Buffer.allocUnsafe(splicedLength(to - from, ordered));
  let written = 0;
  let read = from;
  for (const edit of ordered) {
    written = copy(bytes, read, edit.start, target, written);
    written = copy(edit.text, 0, edit.text.length, target, written);
    read = edit.end;
  }
  copy(bytes, read, to, target, written);
  return target;
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  for (let i = 1; i < edits.length; i++) {
    if (edits[i]!.start < edits[i - 1]!.start)
      return edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  }
  return edits;
}

function splicedLength(length: number, edits: readonly Edit[]): number {
  let total = length;
  for (const { start, end, text } of edits) total += text.length - (end - start);
  return total;
}

function copy(source: Buffer, from: number, to: number, target: Buffer, at: number): number {
  if (to - from >= SHORT_PIECE) source.copy(target, at, from, to);
  else for (let i = from, j = at; i < to; i++, j++) target[j] = source[i]!;
  return at + (to - from);
}
