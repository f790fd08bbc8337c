const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** In how many places a text is looked at. */
const SAMPLES = 16;
/** From how many bytes to the next quote on average strides pay: in a text of records there are about five. */
const LONG = 200;
/** A shorter text is not worth the question, in bytes. */
const WORTH_ASKING = 2 ** 15;
const WORD = 4;
/** Words a stride. */
const STRIDE = 4;

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

/** Skips bytes that stand for themselves in strings, sixteen at a time: the runs of long strings. */
export class LongRuns {
  private readonly bytes: Buffer;
  private readonly words: Int32Array;
  /** The first byte at which a word may begin. */
  private readonly aligned: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.aligned = -bytes.byteOffset & (WORD - 1);
    const length = Math.max(0, bytes.length - this.aligned) >> 2;
    this.words = new Int32Array(bytes.buffer, bytes.byteOffset + this.aligned, length);
  }

  /**
   * Where a run goes on or ends, at most a stride before its end, and not before `start`.
   *
   * @param limit a byte beyond which none is read
   */
  skip(start: number, limit: number): number {
    const { bytes, words, aligned } = this;
    let at = start;
    for (; ((at - aligned) & (WORD - 1)) !== 0; at++) if (at === limit || endsRun(bytes[at]!)) return at;
    let word = (at - aligned) >> 2;
    for (const last = ((limit - aligned) >> 2) - STRIDE; word <= last; word += STRIDE) {
      const stops =
        stopsIn(words[word]!) |
        stopsIn(words[word + 1]!) |
        stopsIn(words[word + 2]!) |
        stopsIn(words[word + 3]!);
      if (stops !== 0) break;
    }
    return word * WORD + aligned;
  }
}

function endsRun(byte: number): boolean {
  return byte < SPACE || byte === QUOTE || byte === BACKSLASH;
}

/**
 * The top bit of each of four bytes that is a quote, a backslash or less than a space; bits above the lowest of them may be
 * wrong. With its second bit turned a quote is a space, and what is less than a space still is.
 */
function stopsIn(word: number): number {
  const turned = word ^ 0x02020202;
  const backslash = word ^ 0x5c5c5c5c;
  return (((turned - 0x21212121) & ~turned) | ((backslash - 0x01010101) & ~backslash)) & 0x80808080;
}
