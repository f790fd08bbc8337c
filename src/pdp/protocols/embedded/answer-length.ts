import { Room } from '../../../room.ts';
import { PdpRefusal } from './refusal.ts';

/** The longest answer, in characters of JSON. */
export const MAX_ANSWER = 64 * 1024 * 1024;
/** How long all answers may be together that are written or being sent, in characters: a caller may read slowly, or not at all. */
const MAX_ANSWERS = 4 * MAX_ANSWER;

/** Room for the answers of a server. */
export function roomForAnswers(): Room {
  return new Room(MAX_ANSWERS);
}

/** How long an answer gets, before it is written: it may repeat much of what a short question says. */
export class AnswerLength {
  readonly #room: Room;
  #length = 0;

  constructor(room = roomForAnswers()) {
    this.#room = room;
  }

  /**
   * Takes room for more of the answer, in characters.
   *
   * @throws PdpRefusal 400 it would be too long, 503 other answers take the room
   */
  add(more: number): void {
    if (this.#length + more > MAX_ANSWER)
      throw new PdpRefusal(
        400,
        `The answer would have more than ${MAX_ANSWER} characters. Ask for less at once.`,
      );
    if (!this.#room.take(more)) throw new PdpRefusal(503, 'Too many long answers are sent at once.');
    this.#length += more;
  }

  /** Takes room for the answer as it is written, of which some may have been foreseen. @throws as {@link add} */
  reach(length: number): void {
    this.add(Math.max(0, length - this.#length));
  }

  /** Gives the room back, once the answer is sent or dropped. */
  close(): void {
    this.#room.give(this.#length);
    this.#length = 0;
  }
}
