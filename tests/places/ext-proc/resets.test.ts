import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

/** Nearly as many as one connection may have. */
const OPEN = 1000;
/** More than Node.js refuses by itself without taking it for an attack. */
const MORE = 500;

/** Types of frames, and flags (RFC 9113 §6). */
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const ACK = 1;
const END_HEADERS = 4;
const CANCEL = 8;

const FIELDS = [
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', '/envoy.service.ext_proc.v3.ExternalProcessor/Process'],
  [':authority', 'a'],
  ['content-type', 'application/grpc'],
  ['te', 'trailers'],
] as const;

/** Literals that are not indexed (RFC 7541 §6.2.2). */
const FIELD_BLOCK = Buffer.concat(
  FIELDS.map(([name, value]) =>
    Buffer.from(`\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`),
  ),
);

function frame(type: number, flags: number, stream: number, content = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(content.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, content]);
}

/** Streams of clients have odd numbers. */
function each(from: number, count: number, make: (stream: number) => Buffer): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => make(2 * (from + index) + 1)));
}

const opened = (stream: number): Buffer => frame(HEADERS, END_HEADERS, stream, FIELD_BLOCK);
const reset = (stream: number): Buffer => frame(RST_STREAM, 0, stream, Buffer.of(0, 0, 0, CANCEL));

function typesIn(received: Buffer): readonly number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3))
    types.push(received.readUInt8(at + 3));
  return types;
}

/** Sends frames, and waits until what is sent has been read. @returns the types of the frames that came */
async function exchanged(socket: Socket, frames: Buffer): Promise<readonly number[]> {
  let received = Buffer.alloc(0);
  const take = (chunk: Buffer): void => void (received = Buffer.concat([received, chunk]));
  socket.on('data', take).write(Buffer.concat([frames, frame(PING, 0, 0, Buffer.alloc(8))]));
  await eventually(() => socket.closed || typesIn(received).includes(PING));
  socket.off('data', take);
  return typesIn(received);
}

test('an Envoy that resets all its streams and opens others at once keeps its connection', async () => {
  const { processor } = await startEnforcement(undefined, { extProc: { port: 0 } });
  const socket = connect(processor?.port ?? 0, '127.0.0.1');
  await once(socket, 'connect');
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  await exchanged(
    socket,
    Buffer.concat([preface, frame(SETTINGS, 0, 0), frame(SETTINGS, ACK, 0), each(0, OPEN, opened)]),
  );
  const types = await exchanged(socket, Buffer.concat([each(0, OPEN, reset), each(OPEN, MORE, opened)]));
  expect(types).not.toContain(GOAWAY);
  expect(await exchanged(socket, Buffer.alloc(0))).toContain(PING);
  socket.destroy();
});
