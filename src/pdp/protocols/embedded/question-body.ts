import type { IncomingMessage } from 'node:http';
import { Collected } from '../../../core/index.ts';

/** The longest question, in bytes: one in context mode lists every asset of a payload. */
export const MAX_BODY = 16 * 1024 * 1024;

/** The memory for bodies of questions, all that arrive or are answered together: enough for the longest. */
export class BodyRoom {
  #taken = 0;

  /**
   * Takes room for more of a body.
   *
   * @returns false if all would have more than {@link MAX_BODY}; then nothing is taken
   */
  take(more: number): boolean {
    if (this.#taken + more > MAX_BODY) return false;
    this.#taken += more;
    return true;
  }

  /** Gives back what a body has taken, in bytes. */
  give(held: number): void {
    this.#taken -= held;
  }
}

/** The body of a question, for which there is room as long as it is answered. */
export class QuestionBody {
  readonly #room: BodyRoom;
  #taken = 0;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /**
   * Reads a body. One that is too long, or for which there is no room, is read to its end and dropped, so that its sender gets an answer
   * instead of a broken connection.
   *
   * @returns the body, or why it is dropped
   * @throws Error if the sender goes away before the end
   */
  read(request: IncomingMessage): Promise<Uint8Array | 'too long' | 'no room'> {
    return new Promise((resolve, reject) => {
      let body: Collected | undefined = new Collected();
      request.on('data', (chunk: Buffer) => {
        const why = body && this.#refusal(chunk.length);
        if (why === undefined) return body?.add(chunk);
        body = undefined;
        resolve(why);
      });
      request.on('end', () => {
        if (body) resolve(body.take());
      });
      request.on('error', reject);
    });
  }

  /** Gives its room back. */
  close(): void {
    this.#room.give(this.#taken);
    this.#taken = 0;
  }

  /** Takes room for more of it, unless that is refused. */
  #refusal(bytes: number): 'too long' | 'no room' | undefined {
    if (this.#taken + bytes > MAX_BODY) return 'too long';
    if (!this.#room.take(bytes)) return 'no room';
    this.#taken += bytes;
    return undefined;
  }
}
