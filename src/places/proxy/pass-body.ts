import type { ServerResponse } from 'node:http';
import { Collected } from '../../core/index.ts';
import type { HeaderFields } from '../../enforcement/index.ts';
import type { ServiceError } from '../../errors.ts';
import { endToEnd } from '../listener/index.ts';
import { breakOff } from './answer.ts';
import type { AnswerFlow, AnswerSink } from './upstream.ts';

/** After so many chunks in one turn of the event loop, the application has to wait until others had theirs. */
const MOST_CHUNKS = 1000;
/** Chunks that are shorter, in bytes, are put together. */
const SHORT = 1024;

/**
 * Sends the body of an answer on as it arrives. Short chunks of one turn of the event loop are written together: an application may send
 * its answer byte by byte, and each write takes several hundred bytes of memory until the client has read it.
 */
export class PassBody implements AnswerSink {
  readonly #response: ServerResponse;
  readonly #flow: AnswerFlow;
  readonly #patience: number;
  readonly #done: (error?: ServiceError) => void;
  readonly #waiting = new Collected();
  #chunks = 0;
  #turn: NodeJS.Immediate | undefined;
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
    this.#waiting.add(chunk);
    this.#chunks += 1;
    if (this.#chunks === MOST_CHUNKS) this.#flow.pause();
    if (this.#stalled !== undefined) return;
    if (chunk.length >= SHORT) this.#writeOn();
    else this.#turn ??= setImmediate(this.#writeOn);
  }

  end(trailers: HeaderFields): void {
    this.#writeRest();
    const kept = endToEnd(trailers);
    if (kept.length > 0)
      this.#response.addTrailers(kept.map(([name, value]): [string, string] => [name, value]));
    this.#response.end();
    this.#done();
  }

  fail(error: ServiceError): void {
    this.#writeRest();
    breakOff(this.#response);
    this.#done(error);
  }

  readonly #writeOn = (): void => {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const isPaused = this.#chunks >= MOST_CHUNKS;
    if (!this.#write()) this.#stall();
    else if (isPaused) this.#flow.resume();
  };

  #writeRest(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#stalled);
    if (this.#waiting.length > 0) this.#write();
  }

  /** @returns whether the client has taken enough of it to go on */
  #write(): boolean {
    this.#chunks = 0;
    const bytes = this.#waiting.take();
    return !this.#response.destroyed && this.#response.write(bytes);
  }

  #stall(): void {
    this.#flow.pause();
    this.#stalled = setTimeout(() => breakOff(this.#response), this.#patience);
    this.#response.once('drain', () => {
      clearTimeout(this.#stalled);
      this.#stalled = undefined;
      // A few chunks may have arrived before the application waited.
      if (this.#waiting.length > 0) this.#turn ??= setImmediate(this.#writeOn);
      this.#flow.resume();
    });
  }
}
