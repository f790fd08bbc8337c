import { joined } from '../../core/index.ts';
import type { ServiceError } from '../../errors.ts';
import type { AnswerFlow, AnswerSink } from './upstream.ts';

/** Collects the body of an answer. */
export class WholeBody implements AnswerSink {
  readonly #flow: AnswerFlow;
  readonly #check: (bytes: number) => void;
  readonly #done: (result: Buffer | Error) => void;
  #chunks: Buffer[] = [];
  #size = 0;

  /**
   * @param check gets the number of bytes so far, and throws to stop
   * @param done is called once
   */
  constructor(flow: AnswerFlow, check: (bytes: number) => void, done: (result: Buffer | Error) => void) {
    this.#flow = flow;
    this.#check = check;
    this.#done = done;
  }

  data(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    try {
      this.#check(this.#size);
    } catch (error) {
      this.#chunks = [];
      this.#done(error instanceof Error ? error : new Error('unknown'));
      this.#flow.abort();
    }
  }

  end(): void {
    this.#done(joined(this.#chunks));
  }

  fail(error: ServiceError): void {
    this.#done(error);
  }
}
