import type { RecordPiece } from '../answer/index.ts';
import type { AnswerBody } from './answer-body.ts';
import { Handover } from './handover.ts';
import type { BodyPart, Fields } from './protocol/request.ts';
import { bodyPiece } from './protocol/response.ts';
import type { Outlet } from './stream.ts';

const NOTHING = Buffer.alloc(0);

interface RecordBodyOptions {
  /** Masks the stream. It throws at a record that cannot be enforced. */
  readonly mask: (chunks: AsyncIterable<Buffer>) => AsyncIterable<RecordPiece>;
  readonly outlet: Outlet;
  /** Sends the headers of the answer, unless they are sent. */
  readonly sendHead: (more: Fields) => Promise<void>;
  /** Called if the stream cannot be enforced: that may show while no part of it is being taken. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The body of an answer that is a stream of records, in mode FULL_DUPLEX_STREAMED: each record goes on when it is masked. The
 * next part is wanted when the records of the one before are sent.
 */
export class RecordBody implements AnswerBody {
  readonly #options: RecordBodyOptions;
  readonly #arriving = new Handover();
  readonly #sent: Promise<void>;
  /** Where the bytes of a part wait. */
  #part = NOTHING;
  #isClosed = false;

  constructor(options: RecordBodyOptions) {
    this.#options = options;
    this.#sent = this.#send();
    this.#sent.catch((error: unknown) => this.#fail(error));
  }

  async take(part: BodyPart): Promise<void> {
    // What is being masked may still be in the buffer.
    if (!this.#isClosed) await this.#arriving.give(this.#moved(part));
  }

  async end(last: boolean): Promise<void> {
    const { outlet, sendHead } = this.#options;
    this.#arriving.end();
    await this.#sent;
    await sendHead([]);
    await outlet.send(bodyPiece('response', [], last));
  }

  close(): void {
    this.#isClosed = true;
    this.#arriving.close();
  }

  /**
   * V8 frees a large buffer late if it is held for as long as its records take, and Envoy sends parts of 1 MB: up to 64 MB of
   * them would wait to be freed. So the part is copied to where the one before was. This is no part of `take`, because what an
   * asynchronous function has touched is held as long as it waits.
   */
  #moved(part: BodyPart): Buffer {
    const { length } = part.body;
    if (this.#part.length < length) this.#part = Buffer.allocUnsafeSlow(length);
    this.#part.set(part.body);
    part.body = NOTHING;
    return this.#part.subarray(0, length);
  }

  async #send(): Promise<void> {
    const { mask, outlet, sendHead } = this.#options;
    for await (const piece of mask(this.#arriving)) {
      await sendHead([]);
      await outlet.send(bodyPiece('response', piece.chunks, false));
    }
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onFailure(error);
  }
}
