import type { ServerResponse } from 'node:http';
import type { HeaderFields } from '../../enforcement/index.ts';
import type { ServiceError } from '../../errors.ts';
import { endToEnd } from '../listener/index.ts';
import { breakOff } from './answer.ts';
import type { AnswerFlow, AnswerSink } from './upstream.ts';

/** Sends the body of an answer on as it arrives. */
export class PassBody implements AnswerSink {
  readonly #response: ServerResponse;
  readonly #flow: AnswerFlow;
  readonly #patience: number;
  readonly #done: (error?: ServiceError) => void;
  #stalled: NodeJS.Timeout | undefined;
  size = 0;

  /**
   * @param patience how long the client may take before it reads on, in milliseconds
   * @param done is called once, with the error if the answer broke off
   */
  constructor(
    response: ServerResponse,
    flow: AnswerFlow,
    patience: number,
    done: (error?: ServiceError) => void,
  ) {
    this.#response = response;
    this.#flow = flow;
    this.#patience = patience;
    this.#done = done;
    flow.unbound();
  }

  data(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.#response.write(chunk) || this.#stalled !== undefined) return;
    this.#flow.pause();
    this.#stalled = setTimeout(() => breakOff(this.#response), this.#patience);
    this.#response.once('drain', () => {
      clearTimeout(this.#stalled);
      this.#stalled = undefined;
      this.#flow.resume();
    });
  }

  end(trailers: HeaderFields): void {
    clearTimeout(this.#stalled);
    const kept = endToEnd(trailers);
    if (kept.length > 0)
      this.#response.addTrailers(kept.map(([name, value]): [string, string] => [name, value]));
    this.#response.end();
    this.#done();
  }

  fail(error: ServiceError): void {
    clearTimeout(this.#stalled);
    breakOff(this.#response);
    this.#done(error);
  }
}
