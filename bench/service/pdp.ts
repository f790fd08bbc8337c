/** A PDP that gives one decision to whoever asks, at once: `node bench/service/pdp.ts`. Tells its parent the port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { maskOnly, PROPERTIES } from '../payloads/decision.ts';

const DECISION = maskOnly(PROPERTIES.slice(0, 4));

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(DECISION),
    });
    response.end(DECISION);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});
process.once('disconnect', () => process.exit());
