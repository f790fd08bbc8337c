import { EventEmitter } from 'node:events';
import _ from 'lodash';
import type { Room } from '../../room.ts';

/** Bytes before each message: whether it is compressed, and its length. */
const PREFIX = 5;
/** How much memory is taken for a message before any of it is there, in bytes: what Envoy sends at most by default. */
const FIRST = 1024 * 1024;

/**
 * Puts the messages of one stream together.
 *
 * The library's own keeps what arrives until a message is whole: not only its bytes, but all that was read from the socket with
 * them. V8 takes what is kept so long for old, and frees it late. This one copies it at once. It also takes room for what waits for
 * the rest of its message: a thousand streams of a connection could each keep one that is nearly as long as the limit.
 */
export class MessageDecoder {
  readonly #limit: number;
  readonly #room: Room;
  #message = Buffer.allocUnsafe(PREFIX);
  #filled = 0;
  /** Of the prefix until that is there, then with the message. */
  #length = PREFIX;
  #hasPrefix = false;
  /** Of the room, in bytes. */
  #held = 0;
  #isClosed = false;

  /**
   * @param limit of a message, in bytes
   * @param room for the messages of all streams that are not whole
   */
  constructor(limit: number, room: Room) {
    this.#limit = limit;
    this.#room = room;
  }

  /**
   * @returns the messages that are whole now, with their prefixes; none once it is closed
   * @throws Error if one is longer than the limit, or others take the room
   */
  write(data: Buffer): Buffer[] {
    if (this.#isClosed) return [];
    try {
      const messages = this.#messagesIn(data);
      this.#hold(this.#message.length - PREFIX);
      return messages;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Drops what is not whole, and gives its room back. */
  close(): void {
    this.#isClosed = true;
    this.#end();
    this.#hold(0);
  }

  #hold(bytes: number): void {
    if (bytes > this.#held && !this.#room.take(bytes - this.#held))
      throw new Error('Messages of other streams that are not whole take the memory for them');
    if (bytes < this.#held) this.#room.give(this.#held - bytes);
    this.#held = bytes;
  }

  #messagesIn(data: Buffer): Buffer[] {
    const messages: Buffer[] = [];
    for (let at = 0; at < data.length;) {
      at += this.#fill(data.subarray(at));
      if (this.#filled < this.#length) break;
      if (!this.#hasPrefix) this.#begin();
      if (this.#filled === this.#length) messages.push(this.#end());
    }
    return messages;
  }

  /** @returns how many bytes it took */
  #fill(data: Buffer): number {
    const taken = Math.min(data.length, this.#length - this.#filled);
    this.#reserve(this.#filled + taken);
    data.copy(this.#message, this.#filled, 0, taken);
    this.#filled += taken;
    return taken;
  }

  #begin(): void {
    // A few kilobytes of it could be as long as the limit, for each of a thousand streams.
    if (this.#message[0] !== 0) throw new Error('Compressed messages are not supported');
    const length = this.#message.readUInt32BE(1);
    if (length > this.#limit)
      throw new Error(`Received message larger than max (${length} vs ${this.#limit})`);
    this.#hasPrefix = true;
    this.#length = PREFIX + length;
    this.#reserve(Math.min(this.#length, FIRST));
  }

  #end(): Buffer {
    const message = this.#message.subarray(0, this.#length);
    this.#message = Buffer.allocUnsafe(PREFIX);
    this.#filled = 0;
    this.#length = PREFIX;
    this.#hasPrefix = false;
    return message;
  }

  /** The length that a prefix says is believed as far as bytes arrive. */
  #reserve(bytes: number): void {
    const small = this.#message;
    if (small.length >= bytes) return;
    this.#message = Buffer.allocUnsafe(Math.min(Math.max(bytes, 2 * small.length), this.#length));
    small.copy(this.#message, 0, 0, this.#filled);
  }
}

/**
 * Takes the place of the library's own decoder in a call, for which it has no option, until the stream of the call is closed.
 *
 * @param room for the messages of all calls that are not whole
 */
export function decodeOurselves(call: object, limit: number, room: Room): void {
  const stream: unknown = _.get(call, ['stream']);
  if (!_.isFunction(_.get(call, ['decoder', 'write'])) || !(stream instanceof EventEmitter)) return;
  const decoder = new MessageDecoder(limit, room);
  _.set(call, ['decoder'], decoder);
  stream.once('close', () => decoder.close());
}
