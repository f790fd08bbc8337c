/**
 * The application that the proxies are in front of: `node bench/places/application.ts`. `GET /customers/400000` is answered with
 * a payload of 400 KB, any other path with an empty list. It sends its port to its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAYLOADS } from '../payloads/payload.ts';

const EMPTY = Buffer.from('[]');
const payloads = new Map<string, Buffer>();

function payloadAt(url: string): Buffer {
  const [, size] = /^\/customers\/(\d+)$/u.exec(url) ?? [];
  if (size === undefined) return EMPTY;
  const payload = payloads.get(size) ?? Buffer.from(PAYLOADS.customers(Number(size)));
  payloads.set(size, payload);
  return payload;
}

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
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
