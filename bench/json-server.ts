import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Answers every request with JSON. Sends its port to the parent of this process, and ends with that.
 *
 * @param answer to a path
 */
export function serveJson(answer: (path: string) => string): void {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      const text = answer(request.url ?? '/');
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address: AddressInfo | string | null = server.address();
    if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
  });
  process.once('disconnect', () => process.exit());
}
