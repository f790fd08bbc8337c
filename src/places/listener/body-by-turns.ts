import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Collected } from '../../core/index.ts';

/**
 * The body of a message, with what arrives in one turn of the event loop as one piece. A client may send it byte by byte, and what is
 * done for each piece takes longer than to receive it. What is left of the message when this is destroyed is read and dropped, so that
 * its sender comes to read the answer.
 */
export class BodyByTurns extends Readable {
  readonly #message: IncomingMessage;
  readonly #waiting = new Collected();
  #turn: NodeJS.Immediate | undefined;

  constructor(message: IncomingMessage) {
    super();
    this.#message = message;
    // Who reads it may be done with it when the message breaks off.
    this.on('error', () => undefined);
    message.on('data', this.#take).once('end', this.#end).once('close', this.#close);
  }

  override _read(): void {
    this.#message.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearImmediate(this.#turn);
    this.#message.off('data', this.#take).off('end', this.#end).off('close', this.#close);
    this.#waiting.clear();
    this.#message.resume();
    done(error);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#waiting.add(chunk);
    this.#turn ??= setImmediate(this.#give);
  };

  readonly #give = (): void => {
    this.#turn = undefined;
    if (!this.push(this.#waiting.take())) this.#message.pause();
  };

  readonly #end = (): void => {
    clearImmediate(this.#turn);
    if (this.#waiting.length > 0) this.push(this.#waiting.take());
    this.push(null);
  };

  readonly #close = (): void => {
    if (!this.#message.readableEnded) this.destroy(new Error('the message ended before it was complete'));
  };
}
