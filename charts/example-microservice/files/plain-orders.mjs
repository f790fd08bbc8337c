// The same microservice without a line about masking: the reverse proxy beside it masks its answers.
import { createServer } from 'node:http';

const { PORT, HOST } = process.env;

/** How long it serves on when it stops, in milliseconds: until no Service and no proxy sends to it any more. */
const DRAIN_DELAY = 5000;

const ORDERS = [
  { id: 1, item: 'Desk', card: '4111111111111111', ssn: '123-45-6789' },
  { id: 2, item: 'Lamp', card: '5500000000000004', ssn: '987-65-4321' },
];

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const [path] = request.url.split('?');
  if (path === '/health') response.end();
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(ORDERS));
}).listen(PORT, HOST);
process.on('SIGTERM', () => setTimeout(() => server.close(), DRAIN_DELAY));
