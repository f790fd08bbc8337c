/** Work that is measured. */
export interface Timed {
  readonly name: string;
  /** Does the work so many times, one after the other, and says how long that took in milliseconds. */
  time(times: number): Promise<number> | number;
}

/** One way to make an answer. */
export interface Contestant extends Timed {
  /** What it makes of the input, to compare with what the others do. */
  answer(): Promise<Buffer> | Buffer;
}

/** Holds the last answer, so that no compiler finds out that nobody reads it. */
const kept: { answer?: unknown } = {};

/** Bytes may come in chunks. */
type Answer = Buffer | string | readonly Buffer[];

/** A contestant that runs in this process. */
export function inProcess(name: string, work: () => Answer): Contestant {
  return { ...timed(name, work), answer: () => bytesOf(work()) };
}

/** Work in this process that can be timed; what it makes is not compared. */
export function timed(name: string, work: () => unknown): Timed {
  return {
    name,
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
