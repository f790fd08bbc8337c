import { free } from '../../core/index.ts';
import type { RecordPiece } from '../answer/index.ts';
import type { AnswerBody } from './answer-body.ts';
import { Handover } from './handover.ts';
import type { BodyPart, Fields } from './protocol/request.ts';
import { bodyPiece } from './protocol/response.ts';
import type { Outlet } from './stream.ts';

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
  #isClosed = false;

  constructor(options: RecordBodyOptions) {
    this.#options = options;
    this.#sent = this.#send();
    this.#sent.catch((error: unknown) => this.#fail(error));
  }

  async take({ body }: BodyPart): Promise<void> {
    if (this.#isClosed) return;
    await this.#arriving.give(body);
    // What is given up may still be masked.
    if (!this.#isClosed) free(body);
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
