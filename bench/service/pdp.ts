/**
 * A PDP that answers every question with the same four masks, at once: `node bench/service/pdp.ts`. It answers OPA's data API
 * with a rules document, and any other path with a decision. It sends its port to its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { maskOnly, maskOnlyInRules, PROPERTIES } from '../payloads/decision.ts';

const MASKED = PROPERTIES.slice(0, 4);
const DECISION = maskOnly(MASKED);
const DOCUMENT = JSON.stringify({ result: { rules: maskOnlyInRules(MASKED) } });

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const answer = request.url?.startsWith('/v1/data/') === true ? DOCUMENT : DECISION;
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});
process.once('disconnect', () => process.exit());
