import { Collected } from '../../core/index.ts';
import type { ServiceError } from '../../errors.ts';
import type { AnswerFlow, AnswerSink } from './upstream.ts';

/** Collects the body of an answer. */
export class WholeBody implements AnswerSink {
  readonly #flow: AnswerFlow;
  readonly #check: (bytes: number) => void;
  readonly #done: (result: Buffer | Error) => void;
  readonly #body: Collected;

  /**
   * @param expected how many bytes are to come; 0 if that is not known
   * @param check gets the number of bytes so far, and throws to stop
   * @param done is called once
   */
  constructor(
    flow: AnswerFlow,
    expected: number,
    check: (bytes: number) => void,
    done: (result: Buffer | Error) => void,
  ) {
    this.#flow = flow;
    this.#body = new Collected(expected);
    this.#check = check;
    this.#done = done;
  }

  data(chunk: Buffer): void {
    this.#body.add(chunk);
    try {
      this.#check(this.#body.length);
    } catch (error) {
      this.#body.clear();
      this.#done(Error.isError(error) ? error : new Error('unknown'));
      this.#flow.abort();
    }
  }

  end(): void {
    this.#done(this.#body.take());
  }

  fail(error: ServiceError): void {
    this.#done(error);
  }
}
