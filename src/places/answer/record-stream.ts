import { expirationOf } from '../../core/index.ts';
import {
  ask,
  enforce,
  now,
  Rest,
  Series,
  warningOnce,
  WorkTime,
  type Counts,
  type Decision,
  type Enforced,
  type Intent,
  type Ports,
} from '../../enforcement/index.ts';
import { invalidToken } from '../../errors.ts';
import { decoding, type ContentCoding } from './codings.ts';
import type { RecordFormat } from './media.ts';
import { asAnswerProblem } from './problems.ts';
import { EventStreamSplitter } from './records/event-stream.ts';
import { JsonSeqSplitter } from './records/json-seq.ts';
import { NdjsonSplitter } from './records/ndjson.ts';
import type { Item, RecordLimit, Splitter } from './records/splitter.ts';
import { slicesOf } from './slices.ts';

/** How long a decision holds for further records of the same answer, unless the PDP gives it longer. Milliseconds. */
const REUSE = 5000;
/** How much is taken apart at once, and how much is sent at once. Bytes. */
const SLICE = 64 * 1024;
/** How long records are enforced one after another before other requests have their turn, in milliseconds. */
const TURN = 2;

export interface RecordStreamOptions {
  readonly format: RecordFormat;
  readonly coding: ContentCoding | undefined;
  readonly limit: RecordLimit;
  readonly passesNonJson: boolean;
  /** How much longer the token of the caller counts than its `exp` says, in seconds; 0 unless given. */
  readonly clockTolerance?: number | undefined;
  /** What is asked; with its decision, if that was asked for ahead. */
  readonly intent: Intent;
  readonly ports: Ports;
}

/** What is sent at once. */
export interface RecordPiece {
  /** Most of them are parts of what arrived. */
  readonly chunks: readonly Buffer[];
  /** In bytes. */
  readonly length: number;
  /** The chunks as one, which nobody else has. */
  copy(): Buffer;
}

/** Enforces an answer that is a stream of records, each a payload, as they arrive. */
export class RecordStream {
  #counts: Counts | undefined;
  #received = 0;
  readonly #options: RecordStreamOptions;
  readonly #ports: Ports;
  readonly #splitter: Splitter;
  /** Until when the token of the caller counts, in seconds since 1970. */
  readonly #expires: number;
  #intent: Intent;
  #series: Series | undefined;

  constructor(options: RecordStreamOptions) {
    const { ports, intent, clockTolerance = 0 } = options;
    this.#options = options;
    this.#ports = { ...ports, log: warningOnce(ports.log) };
    this.#splitter = splitterFor(options);
    this.#expires = ((intent.claims && expirationOf(intent.claims)) ?? Infinity) + clockTolerance;
    this.#intent = intent;
  }

  /** What was done to the records so far. */
  get counts(): Counts | undefined {
    return this.#counts;
  }

  /** How much has come in so far, inflated: bytes. */
  get received(): number {
    return this.#received;
  }

  /**
   * What is sent for the chunks of the body, in pieces. Each is good until the next one is asked for.
   *
   * @param chunks whose owner may write to each again when the next one is asked for
   * @throws ServiceError if a record cannot be enforced; nothing of it or after it is sent
   */
  async *pieces(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<RecordPiece> {
    const { coding } = this.#options;
    for await (const chunk of coding === undefined ? chunks : decoding(copiesOf(chunks), coding)) {
      this.#received += chunk.length;
      await this.#renewDecision();
      for (const slice of slicesOf(chunk, SLICE)) {
        yield* this.#enforced(this.#splitter.push(slice));
        this.#ports.room.reserve(this.#splitter.size);
      }
    }
    yield* this.#enforced(this.#splitter.end());
  }

  async *#enforced(items: Iterable<Item>): AsyncGenerator<RecordPiece> {
    const decision = await this.#intent.decision;
    const rest = items[Symbol.iterator]();
    for (let isOver = false; !isOver;) {
      const batch = new Batch();
      // oxlint-disable-next-line no-await-in-loop -- records are sent in their order
      isOver = await this.#fill(batch, rest, decision);
      if (batch.length > 0) yield batch;
    }
  }

  /** @returns whether no records are left @throws ServiceError as the client gets it */
  async #fill(batch: Batch, items: Iterator<Item>, decision: Decision | undefined): Promise<boolean> {
    try {
      return await (decision === undefined
        ? this.#askEach(batch, items)
        : this.#turn(batch, items, decision));
    } catch (error) {
      throw asAnswerProblem(error);
    }
  }

  /** Enforces records until there is enough to send or others need the event loop. */
  #turn(batch: Batch, items: Iterator<Item>, decision: Decision): Promise<boolean> {
    const series = (this.#series ??= new Series(decision, this.#intent, this.#ports));
    return this.#ports.scheduler.runInSteps(SLICE, this.#enforcing(batch, items, series));
  }

  /** @returns whether no records are left */
  *#enforcing(batch: Batch, items: Iterator<Item>, series: Series): Generator<undefined, boolean> {
    // A stream may have millions of records: no part of the trace for each.
    const work = new WorkTime(this.#ports.trace?.begin('mask'), true);
    try {
      const isOver = yield* this.#enforceSome(batch, items, series, work);
      work.end();
      return isOver;
    } catch (error) {
      work.fail();
      throw error;
    }
  }

  *#enforceSome(
    batch: Batch,
    items: Iterator<Item>,
    series: Series,
    work: WorkTime,
  ): Generator<undefined, boolean> {
    do {
      const { done, value } = items.next();
      if (done === true) return true;
      if (Buffer.isBuffer(value)) batch.add(value);
      else {
        const enforced = series.enforce(value.json);
        const whole = enforced instanceof Rest ? yield* pausing(enforced.steps, work) : enforced;
        batch.addAll(value.frame(this.#counted(whole)));
      }
    } while (batch.length < SLICE && work.worked() < TURN);
    return false;
  }

  /** In context mode, the PDP is asked about the assets of each record. */
  async #askEach(batch: Batch, items: Iterator<Item>): Promise<boolean> {
    const { scheduler } = this.#ports;
    do {
      // oxlint-disable-next-line no-await-in-loop -- records are sent in their order
      const { done, value } = await scheduler.run(SLICE, () => items.next());
      if (done === true) return true;
      if (Buffer.isBuffer(value)) batch.add(value);
      else {
        this.#mustBeValid();
        // oxlint-disable-next-line no-await-in-loop -- records are sent in their order
        const enforced = await enforce(value.json, this.#intent, this.#ports);
        batch.addAll(value.frame(this.#counted(enforced)));
      }
    } while (batch.length < SLICE);
    return false;
  }

  #counted({ payload, counts }: Enforced): readonly Buffer[] {
    if (this.#counts === undefined) this.#counts = counts;
    else addTo(this.#counts, counts);
    return payload;
  }

  async #renewDecision(): Promise<void> {
    const { decision, askedAt = now() } = this.#intent;
    const age = now() - askedAt;
    if (decision === undefined || age < REUSE) return;
    const { validForSeconds = 0 } = await decision;
    if (age < validForSeconds * 1000) return;
    this.#mustBeValid();
    this.#intent = ask(this.#options.intent, this.#options.ports);
    this.#series = undefined;
  }

  /** The PDP is not asked for whom a token spoke once. */
  #mustBeValid(): void {
    if (this.#expires <= Date.now() / 1000) throw invalidToken('The token has expired.');
  }
}

/** The same steps, whose pauses are no work. */
function* pausing<T>(steps: Iterator<undefined, T>, work: WorkTime): Generator<undefined, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    work.pause();
    yield;
    work.resume();
  }
}

/** A decoder reads ahead. */
async function* copiesOf(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

class Batch implements RecordPiece {
  readonly chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.#length += chunk.length;
  }

  addAll(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.add(chunk);
  }

  copy(): Buffer {
    return Buffer.concat(this.chunks, this.length);
  }
}

function addTo(counts: Counts, more: Counts): void {
  counts.records += more.records;
  counts.masked += more.masked;
  counts.set += more.set;
  counts.created += more.created;
  counts.removedProperties += more.removedProperties;
  counts.removed += more.removed;
  counts.skipped += more.skipped;
  counts.unreadable += more.unreadable;
}

function splitterFor({ format, limit, passesNonJson, ports }: RecordStreamOptions): Splitter {
  const { maxDepth } = ports.settings;
  switch (format) {
    case 'ndjson':
      return new NdjsonSplitter({ limit, maxDepth });
    case 'json-seq':
      return new JsonSeqSplitter({ limit, maxDepth });
    case 'event-stream':
      return new EventStreamSplitter({ limit, maxDepth, passesNonJson });
  }
}
