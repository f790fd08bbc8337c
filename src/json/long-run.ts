const QUOTE = 0x22;
/** Bytes a step. */
const STRIDE = 8;
/** In how many places a text is looked at. */
const SAMPLES = 16;
/** From how many bytes to the next quote on average strides pay: in a text of records there are about five. */
const LONG = 200;

/**
 * Whether most of a text lies in strings so long that strides pay. It is asked once a text, as asking at every string costs
 * what short ones take.
 */
export function isMostlyLongRuns(bytes: Buffer): boolean {
  let total = 0;
  for (let i = 1; i <= SAMPLES; i++) {
    const at = Math.floor((bytes.length * i) / (SAMPLES + 1));
    const quote = bytes.indexOf(QUOTE, at);
    total += Math.min(LONG * 2, (quote < 0 ? bytes.length : quote) - at);
  }
  return total >= LONG * SAMPLES;
}

/**
 * Skips bytes that stand for themselves in a string, eight at a time: the runs of long strings. Stops before the stride
 * in which a quote, a backslash or a control character stands; it may stop sooner, where it can't tell.
 *
 * @param start where the run goes on
 * @param limit no byte beyond it is read
 * @returns where to go on byte by byte
 */
export function skipLongRun(view: DataView, start: number, limit: number): number {
  let at = start;
  while (at + STRIDE <= limit) {
    const stops = stopsIn(view.getInt32(at, true)) | stopsIn(view.getInt32(at + 4, true));
    if ((stops & 0x80808080) !== 0) break;
    at += STRIDE;
  }
  return at;
}

/** The top bit of each of four bytes that is a quote, a backslash or less than a space; other bits mean nothing. */
function stopsIn(word: number): number {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  const control = (word - 0x20202020) & ~word;
  return control | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
}
