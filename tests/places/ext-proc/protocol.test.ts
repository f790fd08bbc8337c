import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import protobuf from 'protobufjs';
import { bytesOf, type Encoded } from '../../../src/places/ext-proc/protocol/encoded.ts';
import { readProcessingRequest } from '../../../src/places/ext-proc/protocol/request.ts';
import { bodyPiece, immediateAnswer, replacedBody } from '../../../src/places/ext-proc/protocol/response.ts';
import { WireError, WireReader } from '../../../src/places/ext-proc/protocol/wire.ts';

const PROTO = readFileSync('src/places/ext-proc/protocol/external-processor.proto', 'utf8');
const { root } = protobuf.parse(PROTO);
const REQUEST = root.lookupType('ProcessingRequest');
const RESPONSE = root.lookupType('ProcessingResponse');

/** Header fields, each of which takes two of the protocol. */
const MANY = { headers: Array.from({ length: 60_000 }, () => ({ key: 'a' })) };

function read(bytes: Uint8Array) {
  return readProcessingRequest(new WireReader(Buffer.from(bytes)));
}

/** What becomes of bytes: `read`, or the name of the error. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    read(bytes);
    return 'read';
  } catch (error) {
    return Error.isError(error) ? error.name : 'unknown';
  }
}

function decoded(answer: Encoded): unknown {
  return RESPONSE.toObject(RESPONSE.decode(bytesOf(answer)), { bytes: String, enums: String });
}

describe('the messages of Envoy', () => {
  test('are read as another implementation writes them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), fc.string(), (body, last, name) => {
        const sendBodyWithoutWaitingForHeaderResponse = !last;
        const bytes = REQUEST.encode({
          responseBody: { body, endOfStream: last },
          protocolConfig: {
            requestBodyMode: 4,
            responseBodyMode: 2,
            sendBodyWithoutWaitingForHeaderResponse,
          },
          metadataContext: { filterMetadata: { [`f${name}`]: { fields: { [name]: { numberValue: 1.5 } } } } },
        }).finish();
        const message = read(bytes);
        const expected = { side: 'response', kind: 'body', body: Buffer.from(body), last };
        expect(message.part).toEqual(expected);
        expect(message.modes).toEqual({
          request: 'FULL_DUPLEX_STREAMED',
          response: 'BUFFERED',
          waitsForHeaders: last,
        });
        expect(JSON.stringify(message.metadata.get(`f${name}`))).toBe(`{${JSON.stringify(name)}:1.5}`);
      }),
    );
  });

  test('that are cut off or are not messages at all are refused, and never read past their end', () => {
    const whole = REQUEST.encode({ responseBody: { body: Buffer.alloc(300) } }).finish();
    for (let length = 1; length < whole.length; length += 7)
      expect(() => read(whole.subarray(0, length))).toThrow(WireError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(outcomeOf(bytes)).toMatch(/^(?:read|WireError)$/u);
      }),
    );
  });

  test('have no field that is longer than the message around it', () => {
    const bytes = REQUEST.encode({ responseBody: { body: Buffer.from('ab') } }).finish();
    expect([...bytes.subarray(1, 4)]).toEqual([4, expect.any(Number), 2]);
    bytes[3] = 3;
    const more = REQUEST.encode({ observabilityMode: true }).finish();
    expect(() => read(Buffer.concat([bytes, more]))).toThrow(WireError);
  });

  test('have fields whose names are in lower case, and each byte of whose values is a character', () => {
    const rawValue = Buffer.from([0x4a, 0xe9, 0xc3, 0xa9]);
    const headers = { headers: [{ key: 'X-User', rawValue }] };
    const { part } = read(REQUEST.encode({ requestHeaders: { headers } }).finish());
    expect(part).toHaveProperty('fields', [['x-user', 'J\u00e9\u00c3\u00a9']]);
  });

  test('have metadata with its own members alone', () => {
    const fields = Object.fromEntries([['__proto__', { stringValue: 'a' }]]);
    const { metadata } = read(
      REQUEST.encode({ metadataContext: { filterMetadata: { f: { fields } } } }).finish(),
    );
    const written = metadata.get('f');
    expect(JSON.stringify(written)).toBe('{"__proto__":"a"}');
    expect(written).not.toHaveProperty('constructor');
  });

  test.each([
    ['header fields', { requestHeaders: { headers: MANY } }],
    ['trailers', { responseTrailers: { trailers: MANY } }],
  ])('have no more %s than can be read at once', (_what, message) => {
    expect(() => read(REQUEST.encode(message).finish())).toThrow('more than 100000 fields');
  });

  test('have no longer header fields than can be read at once, and as long bodies as they like', () => {
    const long = Buffer.alloc(2 ** 20, 'x');
    const headers = { headers: [{ key: 'a', rawValue: long }] };
    expect(() => read(REQUEST.encode({ requestHeaders: { headers } }).finish())).toThrow('besides a body');
    const half = { headers: { headers: [{ key: 'a', rawValue: long.subarray(0, 2 ** 19) }] } };
    const both = REQUEST.encode({ requestHeaders: half }).finish();
    expect(read(both).part).toHaveProperty('kind', 'headers');
    expect(() => read(Buffer.concat([both, both]))).toThrow('besides a body');
    expect(read(REQUEST.encode({ responseBody: { body: long } }).finish()).part).toHaveProperty(
      'kind',
      'body',
    );
  });

  test('do not nest their metadata without end', () => {
    const deep = Array.from({ length: 40 }).reduce<object>(
      (inner) => ({ structValue: { fields: { a: inner } } }),
      { boolValue: true },
    );
    const metadataContext = { filterMetadata: { f: { fields: { a: deep } } } };
    expect(() => read(REQUEST.encode({ metadataContext }).finish())).toThrow('nests more than 32 levels');
  });
});

describe('the answers to Envoy', () => {
  test('are read by another implementation as they are meant', () => {
    const body = Buffer.from('[1]');
    expect(decoded(bodyPiece('response', [body], true))).toEqual({
      responseBody: {
        response: { bodyMutation: { streamedResponse: { body: 'WzFd', endOfStream: true } } },
      },
    });
    const immediate = { status: 502, fields: [['content-type', 'a/b']] as const, body, details: 'why' };
    expect(decoded(immediateAnswer(immediate))).toMatchObject({
      immediateResponse: {
        status: { code: 502 },
        headers: {
          setHeaders: [{ header: { key: 'content-type' }, appendAction: 'OVERWRITE_IF_EXISTS_OR_ADD' }],
        },
        body: 'WzFd',
        details: 'why',
      },
    });
    const large = Buffer.alloc(300_000, 'x');
    const replaced = replacedBody([large, body], { set: [], remove: ['etag'] });
    expect(decoded(replaced)).toMatchObject({
      responseBody: {
        response: {
          headerMutation: { removeHeaders: ['etag'] },
          bodyMutation: { body: Buffer.concat([large, body]).toString('base64') },
        },
      },
    });
  });
});
