/** How many words there is room for at least. */
const FIRST_ROOM = 16;

/** The same words, with room for as many again. */
export function doubled(words: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(FIRST_ROOM, words.length * 2));
  larger.set(words);
  return larger;
}
