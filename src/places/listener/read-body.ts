import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import _ from 'lodash';
import { Collected } from '../../core/index.ts';
import { ServiceError } from '../../errors.ts';
import { BodyByTurns } from './body-by-turns.ts';

interface ReadOptions {
  /** Inflates the body; undefined if it is not compressed. */
  readonly inflater: Transform | undefined;
  /** How long it may take to arrive, in milliseconds. */
  readonly timeout: number;
  /** Called with the number of bytes so far; throws a ServiceError if they are too many. */
  readonly check: (bytes: number) => void;
  /** Is called once, as soon as it is known what comes of the body. */
  readonly done: (result: Buffer | Error) => void;
}

/** Reads the body of a message. After an error, the rest of the body is read and dropped. */
export function readBody(request: IncomingMessage, { inflater, timeout, check, done }: ReadOptions): void {
  // To inflate takes a thread for each piece.
  const compressed = inflater && new BodyByTurns(request);
  const source: Readable = (inflater && compressed?.pipe(inflater)) ?? request;
  const body = new Collected(inflater ? 0 : Number(request.headers['content-length'] ?? 0));
  const take = (chunk: Buffer): void => {
    body.add(chunk);
    const error = _.attempt(check, body.length);
    if (Error.isError(error)) finish(error);
  };
  const finish = _.once((result: Buffer | Error): void => {
    clearTimeout(late);
    source.off('data', take);
    if (!Buffer.isBuffer(result)) {
      compressed?.destroy();
      inflater?.destroy();
      request.resume();
    }
    done(result);
  });
  const late = setTimeout(() => finish(tooSlow()), timeout);
  source.on('data', take).once('end', () => finish(body.take()));
  inflater?.on('error', () => finish(notInflatable()));
  request.once('aborted', () => finish(brokenOff()));
}

/** A body that does not arrive in time. Its connection ends, because the rest may never come. */
export function tooSlow(): ServiceError {
  return new ServiceError('request-timeout', 'The body took too long to arrive (bodyTimeout).', {
    headers: { Connection: 'close' },
  });
}

function notInflatable(): ServiceError {
  return new ServiceError('body-not-json', 'The body cannot be decompressed.');
}

function brokenOff(): ServiceError {
  return new ServiceError('http-malformed', 'The body ended before it was complete.');
}
