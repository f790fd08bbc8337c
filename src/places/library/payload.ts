import { isAnyArrayBuffer } from 'node:util/types';
import { ServiceError } from '../../errors.ts';
import { bufferOf } from '../../core/index.ts';
import { invalidOption } from './invalid-options.ts';

/**
 * The JSON text of a payload, in UTF-8.
 *
 * @param json JSON text, JSON in UTF-8, or a value to be written as JSON
 * @throws ServiceError `request-invalid` if the value cannot be written, `nesting-too-deep` if it nests too deeply for that
 */
export function payloadBytes(json: unknown): Buffer {
  if (Buffer.isBuffer(json)) return json;
  if (ArrayBuffer.isView(json)) return bufferOf(json);
  if (isAnyArrayBuffer(json)) return Buffer.from(json);
  return Buffer.from(typeof json === 'string' ? wellFormed(json) : valueText(json));
}

/** A payload as JSON text. Refused is what `JSON.stringify` writes without its contents, such as `{}` for a promise. */
function valueText(json: unknown): string {
  if (typeof json !== 'object' || json === null) return jsonText(json, '/json');
  if ('then' in json && typeof json.then === 'function')
    throw invalidOption('/json', 'It is a promise; await it first.');
  const isBody = 'arrayBuffer' in json && typeof json.arrayBuffer === 'function';
  if (isBody || Symbol.asyncIterator in json)
    throw invalidOption('/json', 'It is a stream or a body; read it first, and give its text or bytes.');
  const text = jsonText(json, '/json');
  if (text === '{}' && Symbol.iterator in json)
    throw invalidOption('/json', 'JSON has no such collection; give an array or an object.');
  return text;
}

/** JSON text with escapes for lone surrogates, which UTF-8 does not have, as `JSON.stringify` writes them. */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  // After a backslash, one is no JSON, and no escape makes it any.
  return text.replace(/\\[^]|\p{Surrogate}/gu, (found) =>
    found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16)}`,
  );
}

/** Whether a payload is bytes that the caller may write to again. */
export function isBytes(json: unknown): boolean {
  return ArrayBuffer.isView(json) || isAnyArrayBuffer(json);
}

/**
 * A value as JSON text.
 *
 * @param pointer the option that the value is from, for messages
 */
export function jsonText(value: unknown, pointer: string): string {
  const text = written(value, pointer);
  if (text === undefined) throw invalidOption(pointer, 'It has to be a value that JSON has.');
  return text;
}

/** Messages of `JSON.stringify` quote names of the payload, so they are dropped. */
function written(value: unknown, pointer: string): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (isOfEngine(error, 'call stack')) throw tooDeep(pointer);
    if (isOfEngine(error, 'string length'))
      throw invalidOption(pointer, 'It is too long to be written as JSON.');
    throw invalidOption(
      pointer,
      'It cannot be written as JSON: it contains itself, or a value that JSON does not have.',
    );
  }
}

/** Whether JavaScript itself threw the error, and not a function of the value. */
function isOfEngine(error: unknown, what: string): boolean {
  return error instanceof RangeError && error.message.includes(what);
}

function tooDeep(pointer: string): ServiceError {
  if (pointer !== '/json') return invalidOption(pointer, 'It nests too deeply to be written as JSON.');
  return new ServiceError('nesting-too-deep', 'The payload nests too deeply to be written as JSON.');
}
