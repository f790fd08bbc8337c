const POINT = 0x2e;
const ZERO = 0x30;

/**
 * The place of a value among bounds in order: the same for all that lie between the same bounds, or are equal to the same.
 *
 * @param orderWith negative if the value is less than the bound at a place
 */
export function rankBy(bounds: number, orderWith: (at: number) => number): number {
  let low = 0;
  let high = bounds;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = orderWith(middle);
    if (order === 0) return middle * 2 + 1;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return low * 2;
}

/** Whether any of some digits is not a zero. */
export function hasNonZeroDigit(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== ZERO) return true;
  return false;
}

/**
 * Compares digits after a point; one in them is passed over.
 *
 * @param digits without zeros at the end
 * @param first which of those is compared first
 */
export function orderOfDigits(bytes: Buffer, from: number, to: number, digits: string, first = 0): number {
  let place = first;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === POINT) continue;
    const other = place < digits.length ? digits.charCodeAt(place) : ZERO;
    if (byte !== other) return byte - other;
    place++;
  }
  return place < digits.length ? -1 : 0;
}
