import { MIMEType } from 'node:util';
import express, { type Request, type RequestHandler } from 'express';
import { ServiceError } from '../errors.ts';
import { exchangeOf } from './exchange.ts';

const CONTENT_ENCODINGS: ReadonlySet<string> = new Set(['identity', 'gzip', 'deflate', 'br']);
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/**
 * Reads a JSON body as bytes, inflated where it comes compressed (enforcement §10): 415 for another format, 413 beyond the
 * limit, also where inflating goes beyond it.
 *
 * @param limit bytes
 */
export function jsonBody(limit: number): readonly RequestHandler[] {
  return [refuseOtherFormats, refuseDeclaredExcess(limit), readBytes(limit)];
}

/** The body that {@link jsonBody} read; empty where the request had none. */
export function bodyOf(request: Request): Buffer {
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

const refuseOtherFormats: RequestHandler = (request, _response, next) => {
  if (!isJson(request.get('content-type'))) {
    throw new ServiceError('media-type-unsupported', 'The body has to be application/json, in UTF-8.');
  }
  if (!CONTENT_ENCODINGS.has((request.get('content-encoding') ?? 'identity').toLowerCase())) {
    throw new ServiceError(
      'media-type-unsupported',
      'The content encoding has to be gzip, deflate or br, or none.',
    );
  }
  next();
};

function isJson(contentType: string | undefined): boolean {
  const type = parseMimeType(contentType);
  if (!type || (type.essence !== 'application/json' && !type.subtype.endsWith('+json'))) return false;
  return CHARSETS.has((type.params.get('charset') ?? 'utf-8').toLowerCase());
}

function parseMimeType(contentType: string | undefined): MIMEType | undefined {
  try {
    return contentType === undefined ? undefined : new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

/** Answers at once where the excess is announced, instead of reading it off first. */
function refuseDeclaredExcess(limit: number): RequestHandler {
  return (request, _response, next) => {
    if (Number(request.get('content-length') ?? 0) > limit) throw tooLarge();
    next();
  };
}

function readBytes(limit: number): RequestHandler {
  const read = express.raw({ limit, type: () => true });
  return (request, response, next) => {
    read(request, response, (error?: unknown) => {
      exchangeOf(response).requestBytes = bodyOf(request).length;
      next(error === undefined ? undefined : bodyErrorFrom(error));
    });
  };
}

/** What reading threw, by its `type`. Its message and properties may hold the body: nothing of them is kept. */
function bodyErrorFrom(error: unknown): ServiceError {
  switch (error instanceof Error && 'type' in error ? error.type : undefined) {
    case 'entity.too.large':
      return tooLarge();
    case 'request.size.invalid':
      return new ServiceError('http-malformed', 'The body is not as long as Content-Length says.');
    case 'request.aborted':
      return new ServiceError('http-malformed', 'The body ended before it was complete.');
    default:
      return new ServiceError('body-not-json', 'The body cannot be decompressed.');
  }
}

function tooLarge(): ServiceError {
  return new ServiceError('body-too-large', 'The body is larger than this service takes (maxBody).', {
    headers: { Connection: 'close' },
  });
}
