import type { IncomingMessage } from 'node:http';
import { Collected } from '../../../core/index.ts';
import { Room } from '../../../room.ts';

/** The longest question, in bytes: one in context mode lists every asset of a payload. */
export const MAX_BODY = 16 * 1024 * 1024;

/** What a question takes at least until it is answered, in bytes, about: many short ones may be sent ahead. */
const LEAST = 1024;

/** The room for bodies of questions, all that arrive or are answered together: enough for the longest. */
export function roomForBodies(): Room {
  return new Room(MAX_BODY);
}

/** The body of a question, for which there is room as long as it is answered. */
export class QuestionBody {
  readonly #room: Room;
  #length = 0;
  #taken = 0;

  constructor(room: Room) {
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
      const take = (bytes: number): void => {
        const why = body && this.#refusal(bytes);
        if (why === undefined) return;
        body = undefined;
        resolve(why);
      };
      take(0);
      request.on('data', (chunk: Buffer) => {
        take(chunk.length);
        body?.add(chunk);
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
    this.#length += bytes;
    if (this.#length > MAX_BODY) return 'too long';
    const more = Math.max(this.#length, LEAST) - this.#taken;
    if (!this.#room.take(more)) return 'no room';
    this.#taken += more;
    return undefined;
  }
}
