import type { Transform } from 'node:stream';
import { MIMEType } from 'node:util';
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../errors.ts';
import { shortened } from '../../shortened.ts';
import { escapeUnprintable } from '../../telemetry/log/index.ts';
import { isUtf8 } from './charset.ts';
import { decompressors } from './decompressors.ts';
import { exchangeOf } from './exchange.ts';
import type { AdmissionSlot, InFlight } from './in-flight.ts';
import { readBody } from './read-body.ts';

const { gzip, deflate, br } = decompressors;
const INFLATERS: Readonly<Record<string, () => Transform>> = { gzip, deflate, br };
const JSON_ONLY = 'The body has to be application/json, in UTF-8';
const ONE_TYPE = 'The request has more than one Content-Type.';
const KNOWN_ENCODINGS = 'The content encoding has to be gzip, deflate or br, or none';

/** How bodies are read. */
export interface BodyOptions {
  /** The longest one, in bytes. */
  readonly limit: number;
  /** How long it may take to arrive, in milliseconds. */
  readonly timeout: number;
  readonly inFlight: InFlight;
}

/**
 * Reads a JSON body as bytes and inflates it if it is compressed. Errors: 415 for another format, 413 above the limit
 * (of the inflated body, too), 503 if too much is in progress, 408 if it does not arrive in time.
 */
export function jsonBody(options: BodyOptions): readonly RequestHandler[] {
  return [refuseOtherFormats, refuseDeclaredExcess(options.limit), read(options)];
}

const bodies = new WeakMap<Request, Buffer>();
const slots = new WeakMap<Request, AdmissionSlot>();

/** The body that {@link jsonBody} read. */
export function bodyOf(request: Request): Buffer {
  return bodies.get(request) ?? Buffer.alloc(0);
}

/** The slot that {@link jsonBody} took for a request. */
export function slotOf(request: Request): AdmissionSlot {
  const slot = slots.get(request);
  if (!slot) throw new Error('the body has to be read first');
  return slot;
}

const refuseOtherFormats: RequestHandler = (request, _response, next) => {
  const type = request.get('content-type');
  if (isRepeated(request, 'content-type')) throw unsupported(ONE_TYPE, ONE_TYPE);
  if (!isJson(type)) throw unsupported(`${JSON_ONLY}.`, `${JSON_ONLY}; ${typeOf(request)}.`);
  const encoding = encodingOf(request);
  if (encoding !== 'identity' && !Object.hasOwn(INFLATERS, encoding)) {
    throw unsupported(`${KNOWN_ENCODINGS}.`, `${KNOWN_ENCODINGS}; it is ${quoted(encoding)}.`);
  }
  next();
};

/** Node.js keeps the first of several such fields alone. Other readers on the way may take another one. */
function isRepeated({ rawHeaders }: Request, name: string): boolean {
  const isNamed = (text: string, at: number): boolean =>
    at % 2 === 0 && text.length === name.length && text.toLowerCase() === name;
  return rawHeaders.findIndex(isNamed) !== rawHeaders.findLastIndex(isNamed);
}

/** Only the caller gets what arrived: a log has nothing of the caller's own text. */
function unsupported(detail: string, callerDetail: string): ServiceError {
  return new ServiceError('media-type-unsupported', detail, { callerDetail });
}

function typeOf(request: Request): string {
  const type = request.get('content-type');
  if (type !== undefined) return `its Content-Type is ${quoted(type)}`;
  return isEmpty(request) ? 'it is empty, and has no Content-Type' : 'it has no Content-Type';
}

/** On one line, and short. */
function quoted(text: string): string {
  return escapeUnprintable(JSON.stringify(shortened(text)));
}

function isEmpty(request: Request): boolean {
  return request.get('transfer-encoding') === undefined && declaredLength(request) === 0;
}

function emptyBody(): ServiceError {
  return new ServiceError('body-not-json', 'The body is empty.');
}

function encodingOf(request: Request): string {
  return (request.get('content-encoding') ?? 'identity').toLowerCase();
}

/** As most callers write it: parsing takes longer than all else that is done with the fields of a request. */
const PLAIN_JSON: ReadonlySet<string> = new Set(['application/json', 'application/json; charset=utf-8']);

function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  if (PLAIN_JSON.has(contentType)) return true;
  const type = parseMimeType(contentType);
  if (!type || (type.essence !== 'application/json' && !type.subtype.endsWith('+json'))) return false;
  return isUtf8(contentType, type);
}

function parseMimeType(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

/** Answers at once if `Content-Length` is above the limit, instead of reading the body first. */
function refuseDeclaredExcess(limit: number): RequestHandler {
  return (request, _response, next) => {
    if (declaredLength(request) > limit) throw tooLarge(limit);
    next();
  };
}

function declaredLength(request: Request): number {
  return Number(request.get('content-length') ?? 0);
}

function read({ limit, timeout, inFlight }: BodyOptions): RequestHandler {
  return (request, response, next) => {
    const slot = takeSlot(request, response, inFlight);
    slots.set(request, slot);
    readBody(request, {
      inflater: INFLATERS[encodingOf(request)]?.(),
      timeout,
      check: (bytes) => {
        if (bytes > limit) throw tooLarge(limit);
        slot.hold(bytes);
      },
      done: (result) => {
        if (!Buffer.isBuffer(result)) return next(result);
        if (result.length === 0) return next(emptyBody());
        bodies.set(request, result);
        exchangeOf(response).requestBytes = result.length;
        next();
      },
    });
  };
}

/**
 * Keeps the slot until the answer is sent. The inflated length of a compressed body is not known in advance: it starts
 * at 0.
 */
function takeSlot(request: Request, response: Response, inFlight: InFlight): AdmissionSlot {
  const slot = inFlight.enter(encodingOf(request) === 'identity' ? declaredLength(request) : 0);
  response.on('close', () => slot.leave());
  return slot;
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('body-too-large', `The body has more than ${limit} bytes (maxBody).`, {
    headers: { Connection: 'close' },
  });
}
