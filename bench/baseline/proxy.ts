/**
 * The smallest masking reverse proxy that anyone would write by hand on undici: `node bench/baseline/proxy.ts UPSTREAM`. It masks
 * four properties that it knows by heart, and asks no PDP. It knows no routes, callers or streams, has no limits, checks nothing,
 * loses digits of numbers, and logs nothing.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

interface Customer {
  ssn: string;
  email: string;
  phone: string;
  readonly address: { street: string };
}

const [, , upstream = ''] = process.argv;
const pool = new Pool(upstream);

async function forward({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse) {
  const answer = await pool.request({ method, path: url, headers });
  const customers: Customer[] = JSON.parse(await answer.body.text());
  for (const customer of customers) mask(customer);
  const body = JSON.stringify(customers);
  const length = Buffer.byteLength(body);
  response.writeHead(answer.statusCode, { ...answer.headers, 'content-length': length }).end(body);
}

function mask(customer: Customer): void {
  customer.ssn = '***';
  customer.email = '***';
  customer.phone = '***';
  customer.address.street = '***';
}

const server = createServer((request, response) => {
  forward(request, response).catch(() => response.writeHead(502).end());
});
server.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});
process.once('disconnect', () => process.exit());
