/**
 * A PDP that answers every question with the decision that its parent told it last: `node bench/decisions/pdp.ts`. If that is to be
 * new, each answer has another number in each place of {@link FIRST_NUMBER}. It sends its port to its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FIRST_NUMBER } from '../core/cases.ts';
import { told, type Told } from './told.ts';

let current: Told = { decision: '{"response":[]}', isNew: false };
let number = FIRST_NUMBER;

function answer(): string {
  if (!current.isNew) return current.decision;
  number += 1;
  return current.decision.replaceAll(String(FIRST_NUMBER), String(number));
}

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const text = answer();
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
process.on('message', (message) => {
  current = told.parse(message);
  process.send?.({});
});
process.once('disconnect', () => process.exit());
