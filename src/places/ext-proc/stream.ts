import { status } from '@grpc/grpc-js';
import type { ProcessStream } from './listener.ts';
import type { ProcessingRequest } from './protocol/request.ts';
import { bytesOf, type Encoded } from './protocol/encoded.ts';

/** Why what an exchange waits for is given up. Each exchange ends with it, and an error of its own takes long to make. */
const OVER = new Error('The stream is over.');

/** Answers the messages of one stream. */
export interface Conversation {
  /** Answers one message. The next one is given to it when it is done. */
  take(message: ProcessingRequest): Promise<void>;
  /** Whether nothing is left to answer. */
  readonly isComplete: boolean;
}

/** The way back to Envoy. */
export interface Outlet {
  /** Sends a copy of an answer, and waits if Envoy does not read the ones before. */
  send(answer: Encoded): Promise<void>;
  /** Ends the stream with an error: Envoy breaks the answer off. */
  fail(details: string): void;
  /** Aborted when the stream is over. */
  readonly signal: AbortSignal;
}

/**
 * Answers a stream until Envoy closes it. A stream that this side ends without an error has Envoy send the rest as upstream
 * sent it, even with `failure_mode_allow: false`. So only Envoy ends streams, or an error does.
 */
export function serveStream(
  stream: ProcessStream,
  converse: (outlet: Outlet) => Conversation,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const closed = new AbortController();
  const { signal } = closed;
  const close = (): void => closed.abort(OVER);
  signal.addEventListener('abort', () => resolve(), { once: true });
  stream.once('cancelled', close).once('close', close).on('error', close);
  answerAll(stream, converse(outletOf(stream, signal)), signal)
    .catch(() => fail(stream, 'The stream failed.'))
    .finally(resolve);
  return promise;
}

async function answerAll(
  stream: ProcessStream,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<void> {
  await takeEach(stream, async (message) => {
    // A message may have been read while the one before was answered.
    if (!signal.aborted) await conversation.take(message);
  });
  if (signal.aborted) return;
  if (conversation.isComplete) stream.end();
  else fail(stream, 'Envoy closed the stream before everything was answered.');
}

/**
 * Takes the messages of Envoy one after another. While one is taken, the next one is read.
 *
 * @returns resolves when Envoy has closed the stream, and all are taken
 */
function takeEach(stream: ProcessStream, take: (message: ProcessingRequest) => Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const readNext = readingOneByOne(stream);
  let taken = Promise.resolve();
  // An iterator would destroy the stream at its error, maybe before the status of the error is sent.
  stream.on('data', (message: ProcessingRequest) => {
    taken = taken.then(() => {
      readNext();
      return take(message);
    });
    taken.catch(reject);
  });
  stream.once('end', () => void taken.then(resolve, reject));
  readNext();
  return promise;
}

/**
 * Has the library read a message when it is wanted. By itself it reads 16 ahead, which would be most of the memory that a long
 * body takes.
 *
 * @returns asks for the next message
 */
function readingOneByOne(stream: ProcessStream): () => void {
  // oxlint-disable-next-line no-underscore-dangle -- Node.js names it so
  const read = stream._read.bind(stream);
  let isAsked = false;
  let isWanted = false;
  const readIfBoth = (): void => {
    if (!isAsked || !isWanted) return;
    isAsked = false;
    isWanted = false;
    read(1);
  };
  // oxlint-disable-next-line no-underscore-dangle
  stream._read = () => {
    isAsked = true;
    readIfBoth();
  };
  return () => {
    isWanted = true;
    readIfBoth();
  };
}

/**
 * How many messages may wait to be written before this side waits. By itself the library takes 16: V8 takes for old what has waited
 * that long, and frees it late.
 */
const MAX_WAITING = 2;

function outletOf(stream: ProcessStream, signal: AbortSignal): Outlet {
  return {
    signal,
    async send(answer) {
      signal.throwIfAborted();
      const message = bytesOf(answer);
      if (stream.writableLength < MAX_WAITING) stream.write(message);
      else await written(stream, message, signal);
    },
    fail: (details) => fail(stream, details),
  };
}

/** Writes a message. Resolves when it is on its way; rejects when the stream is over. */
function written(stream: ProcessStream, message: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(OVER);
    signal.addEventListener('abort', giveUp, { once: true });
    stream.write(message, () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    });
  });
}

/** Ends a stream with an error. `destroy` would not do: the library then sends no status. */
function fail(stream: ProcessStream, details: string): void {
  if (stream.cancelled) return;
  stream.emit('error', Object.assign(new Error(details), { code: status.ABORTED, details }));
}
