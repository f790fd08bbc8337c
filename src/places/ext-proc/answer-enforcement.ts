import {
  enforce,
  resultField,
  type Counts,
  type EnforcementPorts,
  type Intent,
  type Ports,
} from '../../enforcement/index.ts';
import type { Callers } from '../../identity/index.ts';
import {
  asAnswerProblem,
  notEnforceable,
  RecordStream,
  type BodyFormat,
  type ContentCoding,
  type RecordFormat,
  type RecordPiece,
} from '../answer/index.ts';
import { lengthOf } from '../listener/index.ts';
import type { MaskedBody } from './admission.ts';
import type { ExchangeNote } from './note.ts';

interface AnswerEnforcementOptions {
  readonly intent: Intent;
  readonly note: ExchangeNote;
  /** Whether data of events passes that is not JSON. */
  readonly passesNonJson: boolean;
  readonly ports: EnforcementPorts & {
    readonly signal: AbortSignal;
    readonly callers: Pick<Callers, 'clockTolerance'> | undefined;
    /** The longest body and the longest record, and what may become of either, in bytes. */
    readonly maxBody: number;
    readonly maxAnswer: number;
    readonly report: boolean;
  };
}

interface RecordFraming {
  readonly format: RecordFormat;
  readonly coding: ContentCoding | undefined;
}

/** Enforces the body of one answer, and notes what was changed. */
export class AnswerEnforcement {
  readonly #options: AnswerEnforcementOptions;

  constructor(options: AnswerEnforcementOptions) {
    this.#options = options;
  }

  /** @throws ServiceError if the body cannot be enforced */
  whole(body: Buffer, format: BodyFormat): Promise<MaskedBody> {
    return format === 'json' ? this.#payload(body) : this.#allRecords(body, format);
  }

  /** What is sent for a stream of records; each piece is good until the next one is asked for. @throws ServiceError at a record that cannot be enforced */
  async *records(
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
    framing: RecordFraming,
  ): AsyncGenerator<RecordPiece> {
    const { note, intent, passesNonJson, ports } = this.#options;
    const limit = { bytes: ports.maxBody, key: 'maxBody' };
    const { clockTolerance } = ports.callers ?? {};
    const asked = { intent, clockTolerance, ports: this.#ports };
    const stream = new RecordStream({ ...framing, ...asked, limit, passesNonJson });
    note.counts(stream);
    for await (const piece of stream.pieces(chunks)) {
      note.sent(piece.length);
      yield piece;
    }
  }

  async #payload(body: Buffer): Promise<MaskedBody> {
    const { note, intent, ports } = this.#options;
    const answer: { counts: Counts | undefined; received: number } = {
      counts: undefined,
      received: body.length,
    };
    note.counts(answer);
    const { payload, counts } = await enforce(body, intent, this.#ports).catch((error: unknown) => {
      throw asAnswerProblem(error);
    });
    answer.counts = counts;
    note.sent(lengthOf(payload));
    return { chunks: payload, fields: ports.report ? [resultField(counts)] : [] };
  }

  /** A stream that Envoy has buffered whole. As elsewhere, answers that are streams have no counts. */
  async #allRecords(body: Buffer, format: RecordFormat): Promise<MaskedBody> {
    const { maxAnswer } = this.#options.ports;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const piece of this.records([body], { format, coding: undefined })) {
      bytes += piece.length;
      if (bytes > maxAnswer)
        throw notEnforceable(`the answer would take more than ${maxAnswer} bytes (maxAnswer)`);
      this.#options.note.slot?.hold(bytes);
      chunks.push(piece.copy());
    }
    return { chunks, fields: [] };
  }

  get #ports(): Ports {
    const { ports, note } = this.#options;
    const { log, trace } = note;
    const room = { limit: ports.maxAnswer, reserve: (bytes: number) => note.slot?.hold(bytes) };
    return { ...ports, log, trace, room };
  }
}
