import _ from 'lodash';

/** Bytes before each message: whether it is compressed, and its length. */
const PREFIX = 5;
/** How much memory is taken for a message before any of it is there, in bytes: what Envoy sends at most by default. */
const FIRST = 1024 * 1024;

/**
 * Puts the messages of one stream together.
 *
 * The library's own keeps what arrives until a message is whole: not only its bytes, but all that was read from the socket with
 * them. V8 takes what is kept so long for old, and frees it late. This one copies it at once.
 */
export class MessageDecoder {
  readonly #limit: number;
  #message = Buffer.allocUnsafe(PREFIX);
  #filled = 0;
  /** Of the prefix until that is there, then with the message. */
  #length = PREFIX;
  #hasPrefix = false;

  /** @param limit of a message, in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns the messages that are whole now, with their prefixes @throws Error if one is longer than the limit */
  write(data: Buffer): Buffer[] {
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

/** Takes the place of the library's own decoder in a call, for which it has no option. */
export function decodeOurselves(call: object, limit: number): void {
  if (_.isFunction(_.get(call, ['decoder', 'write']))) _.set(call, ['decoder'], new MessageDecoder(limit));
}
