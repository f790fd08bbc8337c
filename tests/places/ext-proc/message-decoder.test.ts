import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Room } from '../../../src/room.ts';
import { MessageDecoder } from '../../../src/places/ext-proc/message-decoder.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement } from '../../support/service.ts';
import { ProcessorClient } from './processor-client.ts';

afterEach(closeAll);

const LIMIT = 2 ** 26;
const LARGE = 100_000;

/** Room for whatever a test needs. */
function ample(): Room {
  return new Room(Infinity);
}

/** A message as gRPC sends it. */
function framed(content: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(content.length, 1);
  return Buffer.concat([prefix, content]);
}

/** What a decoder makes of bytes that arrive in pieces of so many, each in the place of the one before. */
function decoded(bytes: Buffer, size: number): Buffer[] {
  const decoder = new MessageDecoder(LIMIT, ample());
  const place = Buffer.alloc(size);
  const messages: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(place, 0, at, at + size);
    messages.push(...decoder.write(place.subarray(0, length)));
    place.fill('?');
  }
  return messages;
}

describe('The messages of a stream', () => {
  test('are put together from pieces of any length, which are not kept', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 })),
        fc.integer({ min: 1, max: 100 }),
        (all, size) => {
          const messages = all.map(framed);
          expect(decoded(Buffer.concat(messages), size)).toEqual(messages);
        },
      ),
    );
  });

  test('are put together also if they are large', () => {
    const messages = [3_000_000, 0, 1, 1_048_571, 1_048_576].map((length) =>
      framed(Buffer.alloc(length, 'x')),
    );
    const whole = decoded(Buffer.concat(messages), 65_536);
    expect(whole.map((message, index) => message.equals(messages[index] ?? Buffer.alloc(0)))).toEqual(
      messages.map(() => true),
    );
  });

  test('are refused if they are compressed: a short one could be as long as the limit', () => {
    const compressed = framed(Buffer.alloc(1));
    compressed[0] = 1;
    expect(() => new MessageDecoder(LIMIT, ample()).write(compressed)).toThrow(
      'Compressed messages are not supported',
    );
  });

  test('are refused if they are longer than the limit', () => {
    const decoder = new MessageDecoder(3, ample());
    expect(decoder.write(framed(Buffer.alloc(3)))).toHaveLength(1);
    expect(() => decoder.write(framed(Buffer.alloc(4)).subarray(0, 5))).toThrow(
      'Received message larger than max (4 vs 3)',
    );
  });

  test('take no more memory than 1 MB before their bytes arrive, whatever their prefix says', () => {
    const prefix = framed(Buffer.alloc(LIMIT)).subarray(0, 5);
    const before = process.memoryUsage().arrayBuffers;
    const decoders = Array.from({ length: 32 }, () => new MessageDecoder(LIMIT, ample()));
    for (const decoder of decoders) expect(decoder.write(prefix)).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20);
    expect(decoders).toHaveLength(32);
  });
});

describe('The messages of several streams that are not whole share a room', () => {
  const message = framed(Buffer.alloc(LARGE, 'x'));
  const begun = message.subarray(0, LARGE);

  /** Three streams with room for what two have begun. */
  function sharing() {
    const room = new Room(2 * LARGE);
    const stream = (): MessageDecoder => new MessageDecoder(LIMIT, room);
    return [stream(), stream(), stream()] as const;
  }

  test('and one for which there is none is refused, and takes nothing more', () => {
    const [one, other, third] = sharing();
    expect([...one.write(begun), ...other.write(begun)]).toEqual([]);
    expect(() => third.write(begun)).toThrow('Messages of other streams that are not whole');
    expect(third.write(message)).toEqual([]);
  });

  test('which is free again when a message is whole, or its stream is closed', () => {
    const [one, other, third] = sharing();
    one.write(begun);
    other.write(begun);
    expect(one.write(message.subarray(LARGE))).toEqual([message]);
    expect(third.write(begun)).toEqual([]);
    other.close();
    expect(one.write(begun)).toEqual([]);
    expect(third.write(message.subarray(LARGE))).toEqual([message]);
  });

  test('which takes nothing for messages that arrive whole', () => {
    const [one, other, third] = sharing();
    one.write(begun);
    other.write(begun);
    expect(third.write(Buffer.concat([message, message, message]))).toEqual([message, message, message]);
  });
});

/** A stream of a service, which has answered its first message. */
async function begunStream() {
  const { processor } = await startEnforcement({}, { attrName: 'column', extProc: { port: 0 } });
  const stream = new ProcessorClient(processor?.port ?? 0).open();
  await stream.begin([[':method', 'GET'] as const, [':path', '/'] as const], 'FULL_DUPLEX_STREAMED');
  return stream;
}

test('The gRPC library lets every stream have this decoder, for which it has no option', async () => {
  const written = jest.spyOn(MessageDecoder.prototype, 'write');
  const stream = await begunStream();
  stream.end();
  expect(written).toHaveBeenCalled();
});

test('When a stream is over, the room for its message is free', async () => {
  const closed = jest.spyOn(MessageDecoder.prototype, 'close');
  const stream = await begunStream();
  // The stream of the test before may have been closed late.
  closed.mockClear();
  stream.end();
  await stream.next().catch(() => undefined);
  await eventually(() => closed.mock.calls.length > 0);
  expect(closed).toHaveBeenCalledTimes(1);
});
