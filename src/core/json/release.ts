import type { JsonDocument } from './document.ts';

/** Node.js never has memory of so many bytes serve several buffers, unless somebody divides it. */
const LARGE = 64 * 1024;

/**
 * Frees memory of which nothing is needed any more, at once: V8 would do so late. What is small shares its memory with others, and
 * is left to V8.
 *
 * @param bytes the only ones in their memory that anybody still reads: they are gone
 */
export function free({ buffer, byteLength }: ArrayBufferView): void {
  if (byteLength >= LARGE && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * Frees the memory of a text that was masked, and of which nobody needs any value again.
 *
 * @param chunks what became of it: if they are parts of its bytes, these stay
 */
export function release({ bytes, tape }: JsonDocument, chunks: readonly Buffer[]): void {
  free(tape);
  if (chunks.every(({ buffer }) => buffer !== bytes.buffer)) free(bytes);
}
