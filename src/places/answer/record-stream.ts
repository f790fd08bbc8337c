import { performance } from 'node:perf_hooks';
import { ask, enforce, type Counts, type Intent, type Ports } from '../../enforcement/index.ts';
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

export interface RecordStreamOptions {
  readonly format: RecordFormat;
  readonly coding: ContentCoding | undefined;
  readonly limit: RecordLimit;
  readonly passesNonJson: boolean;
  /** What is asked; with its decision, if that was asked for ahead. */
  readonly intent: Intent;
  readonly ports: Ports;
}

/** Enforces an answer that is a stream of records, each a payload, as they arrive. */
export class RecordStream {
  #counts: Counts | undefined;
  readonly #options: RecordStreamOptions;
  readonly #splitter: Splitter;
  #intent: Intent;
  #askedAt = performance.now();

  constructor(options: RecordStreamOptions) {
    this.#options = options;
    this.#splitter = splitterFor(options);
    this.#intent = options.intent;
  }

  /** What was done to the records so far. */
  get counts(): Counts | undefined {
    return this.#counts;
  }

  /**
   * What is sent for the chunks of the body, in pieces.
   *
   * @throws ServiceError if a record cannot be enforced; nothing of it or after it is sent
   */
  async *pieces(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    const { coding, ports } = this.#options;
    for await (const chunk of coding === undefined ? chunks : decoding(chunks, coding)) {
      await this.#renewDecision();
      for (const slice of slicesOf(chunk, SLICE)) {
        yield* this.#batches(this.#splitter.push(slice));
        ports.room.reserve(this.#splitter.size);
      }
    }
    yield* this.#batches(this.#splitter.end());
  }

  async *#batches(items: Iterable<Item>): AsyncGenerator<Buffer> {
    let batch: Buffer[] = [];
    let size = 0;
    for (const item of items) {
      // oxlint-disable-next-line no-await-in-loop -- records are sent in their order
      const chunks = Buffer.isBuffer(item) ? [item] : item.frame(await this.#enforced(item.json));
      for (const chunk of chunks) {
        batch.push(chunk);
        size += chunk.length;
      }
      if (size < SLICE) continue;
      yield Buffer.concat(batch, size);
      batch = [];
      size = 0;
    }
    if (size > 0) yield Buffer.concat(batch, size);
  }

  async #enforced(json: Buffer): Promise<readonly Buffer[]> {
    try {
      const { payload, counts } = await enforce(json, this.#intent, this.#options.ports);
      this.#counts = sum(this.#counts, counts);
      return payload;
    } catch (error) {
      throw asAnswerProblem(error);
    }
  }

  async #renewDecision(): Promise<void> {
    const { decision } = this.#intent;
    const age = performance.now() - this.#askedAt;
    if (decision === undefined || age < REUSE) return;
    const { validForSeconds = 0 } = await decision;
    if (age < validForSeconds * 1000) return;
    this.#intent = ask(this.#options.intent, this.#options.ports);
    this.#askedAt = performance.now();
  }
}

function sum(one: Counts | undefined, other: Counts): Counts {
  if (one === undefined) return other;
  return {
    records: one.records + other.records,
    masked: one.masked + other.masked,
    set: one.set + other.set,
    created: one.created + other.created,
    removedProperties: one.removedProperties + other.removedProperties,
    removed: one.removed + other.removed,
    skipped: one.skipped + other.skipped,
    unreadable: one.unreadable + other.unreadable,
  };
}

function splitterFor({ format, limit, passesNonJson, ports }: RecordStreamOptions): Splitter {
  const { maxDepth } = ports.settings;
  switch (format) {
    case 'ndjson':
      return new NdjsonSplitter(limit);
    case 'json-seq':
      return new JsonSeqSplitter(limit, maxDepth);
    case 'event-stream':
      return new EventStreamSplitter({ limit, maxDepth, passesNonJson });
  }
}
