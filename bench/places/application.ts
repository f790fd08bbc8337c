/**
 * The application that the proxies are in front of: `node bench/places/application.ts`. `GET /customers/400000` is answered with
 * a payload of 400 KB, `GET /streams/ndjson/1000000` with a stream of at least 1 MB, any other path with an empty list. It sends its
 * port to its parent.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAYLOADS } from '../payloads/payload.ts';
import { blockOf, isStreamFormat, STREAM_TYPES, type StreamFormat } from './stream-formats.ts';

const EMPTY = Buffer.from('[]');
const payloads = new Map<string, Buffer>();

function payloadAt(url: string): Buffer {
  const [, size] = /^\/customers\/(\d+)$/u.exec(url) ?? [];
  if (size === undefined) return EMPTY;
  const payload = payloads.get(size) ?? Buffer.from(PAYLOADS.customers(Number(size)));
  payloads.set(size, payload);
  return payload;
}

/** Sends customers until there are at least so many bytes, as fast as they are taken. */
function sendStream(response: ServerResponse, format: StreamFormat, bytes: number): void {
  const block = blockOf(format);
  let sent = 0;
  const more = (): void => {
    while (sent < bytes) {
      sent += block.length;
      if (!response.write(block)) return void response.once('drain', more);
    }
    response.end();
  };
  response.writeHead(200, { 'content-type': STREAM_TYPES[format] });
  more();
}

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const [, format, bytes] = /^\/streams\/([\w-]+)\/(\d+)$/u.exec(request.url ?? '') ?? [];
    if (isStreamFormat(format)) return sendStream(response, format, Number(bytes));
    const payload = payloadAt(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': payload.length });
    response.end(payload);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});
process.once('disconnect', () => process.exit());
