/** One way to do what is measured. */
export interface Contestant {
  readonly name: string;
  /** What it makes of the input, to compare with what the others do. */
  answer(): Promise<Buffer> | Buffer;
  /** Does the work so many times, one after the other, and says how long that took in milliseconds. */
  time(times: number): Promise<number> | number;
}

/** Holds the last answer, so that no compiler finds out that nobody reads it. */
const kept: { answer?: Answer } = {};

/** Bytes may come in chunks. */
type Answer = Buffer | string | readonly Buffer[];

/** A contestant that runs in this process. */
export function inProcess(name: string, work: () => Answer): Contestant {
  return {
    name,
    answer: () => bytesOf(work()),
    time(times) {
      const start = performance.now();
      for (let i = 0; i < times; i++) kept.answer = work();
      return performance.now() - start;
    },
  };
}

function bytesOf(answer: Answer): Buffer {
  return typeof answer === 'string' || Buffer.isBuffer(answer) ? Buffer.from(answer) : Buffer.concat(answer);
}
