const LINE_FEED = 0x0a;

/** A line of NDJSON, without its line break. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: Buffer;
  /** Whether what was read last ends here: the next line has to be waited for. */
  readonly isLastRead: boolean;
}

/** A line is longer than it may be. */
export class LineTooLongError extends Error {
  readonly number: number;

  constructor(number: number) {
    super('The line is too long.');
    this.name = 'LineTooLongError';
    this.number = number;
  }
}

/**
 * Splits what is read into lines. No more than one line and one chunk is held.
 *
 * @param limit the longest line, in bytes
 * @throws LineTooLongError
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Line> {
  let pending: Buffer[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      if (length + rest.length > limit) throw new LineTooLongError(number);
      start = end + 1;
      const text = pending.length === 0 ? rest : Buffer.concat([...pending, rest]);
      const isLastRead = chunk.indexOf(LINE_FEED, start) < 0;
      pending = [];
      length = 0;
      yield { number: number++, text, isLastRead };
    }
    if (start === chunk.length) continue;
    length += chunk.length - start;
    if (length > limit) throw new LineTooLongError(number);
    pending.push(chunk.subarray(start));
  }
  if (length > 0) yield { number, text: Buffer.concat(pending), isLastRead: true };
}
