import {
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  TOP,
  isBlank,
  kindOf,
  scan,
  type JsonDocument,
  type JsonPart,
} from '../core/index.ts';
import { ServiceError } from '../errors.ts';
import { invalidRequest } from './intent.ts';

/** JSON in UTF-8, or a part of a document that the place has scanned already. It is an object or an array. */
export type Payload = Buffer | JsonPart;

/** The size of a payload in bytes; of a part, that of its whole document. */
export function sizeOf(payload: Payload): number {
  return Buffer.isBuffer(payload) ? payload.length : payload.doc.bytes.length;
}

/**
 * Reads a payload.
 *
 * @param maxDepth how deep it may nest, in levels of objects and arrays
 * @throws ServiceError `body-not-json`, `nesting-too-deep`, or `request-invalid` if it is neither an object nor an array
 */
export function readPayload(payload: Payload, maxDepth: number): JsonPart {
  if (!Buffer.isBuffer(payload)) return payload;
  const part = { doc: scanned(payload, maxDepth), node: TOP };
  const problem = payloadProblem(part);
  if (problem !== undefined) throw invalidRequest([{ pointer: '/json', detail: problem }]);
  return part;
}

/** What is wrong with the kind of a payload, as a sentence. */
export function payloadProblem({ doc, node }: JsonPart): string | undefined {
  const kind = kindOf(doc, node);
  if (kind === Kind.object || kind === Kind.array) return undefined;
  return 'It has to be an object or an array.';
}

function scanned(bytes: Buffer, maxDepth: number): JsonDocument {
  try {
    return scan(bytes, maxDepth);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw notJson(bytes, error);
    if (!(error instanceof JsonDepthError)) throw error;
    throw new ServiceError('nesting-too-deep', `The payload nests more than ${maxDepth} levels.`);
  }
}

function notJson(bytes: Buffer, { message }: JsonSyntaxError): ServiceError {
  const detail = isBlank(bytes) ? 'The payload is empty.' : `The payload is not valid JSON: ${message}.`;
  return new ServiceError('body-not-json', detail);
}
