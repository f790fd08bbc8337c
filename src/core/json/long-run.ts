const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** In how many places a text is looked at. */
const SAMPLES = 16;
/** From how many bytes to the next quote on average strides pay: in a text of records there are about five. */
const LONG = 200;
/** A shorter text is not worth the question, in bytes. */
const WORTH_ASKING = 2 ** 15;
/** How many bytes are looked at in one step. */
const STRIDE = 16;
const LONG_STRIDE = 32;
/** Native calls find the end of a longer run, in bytes: up to here they cost more. */
const NEAR = 512;

/**
 * Whether most of a text lies in strings so long that strides pay. It is asked once a text, as asking at every string costs
 * what short ones take.
 */
export function isMostlyLongRuns(bytes: Buffer): boolean {
  if (bytes.length < WORTH_ASKING) return false;
  let total = 0;
  for (let i = 1; i <= SAMPLES; i++) {
    const at = Math.floor((bytes.length * i) / (SAMPLES + 1));
    const sample = bytes.subarray(at, at + LONG * 2);
    const quote = sample.indexOf(QUOTE);
    total += quote < 0 ? sample.length : quote;
  }
  return total >= LONG * SAMPLES;
}

/** Skips bytes that are themselves characters of strings: the runs of long strings. */
export class LongRuns {
  private readonly bytes: Buffer;
  private readonly view: DataView;
  /** The first quote and the first backslash after what was skipped by native calls, so that none looks for one again. */
  private quote = -1;
  private backslash = -1;

  /** @param view the same bytes */
  constructor(bytes: Buffer, view: DataView) {
    this.bytes = bytes;
    this.view = view;
  }

  /**
   * Where a run goes on or ends, and not before `start`. A text is skipped from its beginning to its end.
   *
   * @param limit a byte beyond which none is read
   */
  skip(start: number, limit: number): number {
    const { view } = this;
    const end = Math.min(limit, start + NEAR) - STRIDE;
    let at = start;
    for (; at <= end; at += STRIDE) {
      const stops =
        stopsIn(view.getInt32(at, true)) |
        stopsIn(view.getInt32(at + 4, true)) |
        stopsIn(view.getInt32(at + 8, true)) |
        stopsIn(view.getInt32(at + 12, true));
      if (stops !== 0) return at;
    }
    return at < limit - LONG_STRIDE ? this.skipFar(at, limit) : at;
  }

  /** What is neither a quote nor a backslash is left to be a control character. */
  private skipFar(start: number, limit: number): number {
    const { view } = this;
    if (this.quote < start) this.quote = this.find(QUOTE, start);
    if (this.backslash < start) this.backslash = this.find(BACKSLASH, start);
    const end = Math.min(limit, this.quote, this.backslash) - LONG_STRIDE;
    let at = start;
    for (; at <= end; at += LONG_STRIDE) {
      const controls =
        controlsIn(view.getInt32(at, true)) |
        controlsIn(view.getInt32(at + 4, true)) |
        controlsIn(view.getInt32(at + 8, true)) |
        controlsIn(view.getInt32(at + 12, true)) |
        controlsIn(view.getInt32(at + 16, true)) |
        controlsIn(view.getInt32(at + 20, true)) |
        controlsIn(view.getInt32(at + 24, true)) |
        controlsIn(view.getInt32(at + 28, true));
      if ((controls & TOP_BITS) !== 0) break;
    }
    return at;
  }

  private find(byte: number, from: number): number {
    const at = this.bytes.indexOf(byte, from);
    return at < 0 ? this.bytes.length : at;
  }
}

/**
 * The top bit of each of four bytes that is a quote, a backslash or less than a space; bits above the lowest of them may be
 * wrong. With its second bit turned a quote is a space, and what is less than a space still is.
 */
export function stopsIn(word: number): number {
  const turned = word ^ 0x02020202;
  const backslash = word ^ 0x5c5c5c5c;
  return (((turned - 0x21212121) & ~turned) | ((backslash - 0x01010101) & ~backslash)) & 0x80808080;
}

/** The top bit of one of four bytes if any is less than a space; other bits say nothing. */
function controlsIn(word: number): number {
  return (word - 0x20202020) & ~word;
}

const TOP_BITS = 0x80808080;
