/** Fewer words are set to zero: to make another view of memory costs more. */
const FEW = 1024;

/** Words that hold whatever was in that memory before: nothing may be read that was not written. Zeros take half of the time. */
export function unsetWords(count: number): Int32Array<ArrayBuffer> {
  if (count < FEW) return new Int32Array(count);
  const { buffer, byteOffset } = Buffer.allocUnsafeSlow(count * Int32Array.BYTES_PER_ELEMENT);
  return new Int32Array(buffer, byteOffset, count);
}
