import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType, type ZlibOptions } from 'node:zlib';
import _ from 'lodash';
import { joined } from '../../core/index.ts';
import type { ServiceError } from '../../errors.ts';
import type { ContentCoding } from './media.ts';
import { notEnforceable } from './records/splitter.ts';
import type { AnswerFlow, AnswerSink } from './upstream.ts';

const TOO_LARGE = 'it is too large (proxy.maxBody)';

type Decompress = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const DECOMPRESS: Readonly<Record<ContentCoding, Decompress>> = {
  gzip: promisify<InputType, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<InputType, ZlibOptions, Buffer>(inflate),
  br: promisify<InputType, ZlibOptions, Buffer>(brotliDecompress),
};

/** Collects the body of an answer. */
export class WholeBody implements AnswerSink {
  readonly #limit: number;
  readonly #flow: AnswerFlow;
  readonly #hold: (bytes: number) => void;
  readonly #done: (result: Buffer | Error) => void;
  #chunks: Buffer[] = [];
  #size = 0;

  /**
   * @param limit in bytes
   * @param hold is called with the size so far; it may throw
   * @param done is called once
   */
  constructor(
    limit: number,
    flow: AnswerFlow,
    hold: (bytes: number) => void,
    done: (result: Buffer | Error) => void,
  ) {
    this.#limit = limit;
    this.#flow = flow;
    this.#hold = hold;
    this.#done = done;
  }

  data(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    try {
      if (this.#size > this.#limit) throw notEnforceable(TOO_LARGE);
      this.#hold(this.#size);
    } catch (error) {
      this.#chunks = [];
      this.#done(error instanceof Error ? error : new Error('unknown'));
      this.#flow.abort();
    }
  }

  end(): void {
    this.#done(joined(this.#chunks));
  }

  fail(error: ServiceError): void {
    this.#done(error);
  }
}

/**
 * Undoes the content coding of a body.
 *
 * @param limit of the result, in bytes
 * @throws ServiceError `response-not-enforceable` if that is not possible
 */
export async function decompressed(bytes: Buffer, coding: ContentCoding, limit: number): Promise<Buffer> {
  try {
    return await DECOMPRESS[coding](bytes, { maxOutputLength: limit });
  } catch (error) {
    const isLarge = _.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE';
    throw notEnforceable(isLarge ? TOO_LARGE : 'it cannot be decompressed');
  }
}
