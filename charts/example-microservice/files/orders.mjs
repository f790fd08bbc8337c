import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const { PORT, AUTHORIZER_URL } = process.env;

/** How long it serves on when it stops, in milliseconds: until no Service and no proxy sends to it any more. */
const DRAIN_DELAY = 5000;

const ORDERS = [
  { id: 1, item: 'Desk', card: '4111111111111111', ssn: '123-45-6789' },
  { id: 2, item: 'Lamp', card: '5500000000000004', ssn: '987-65-4321' },
];

/** How long to wait before each new try, in milliseconds. Together, they cover a restart of the authorizer. */
const PAUSES = [100, 200, 400, 800, 1600];

/** Asks again if the authorizer refuses the connection: it restarts, and has not got anything. */
async function enforce(options, [pause, ...pauses] = PAUSES) {
  try {
    return await fetch(`${AUTHORIZER_URL}/enforce`, options);
  } catch (error) {
    if (error.cause?.code !== 'ECONNREFUSED' || pause === undefined) throw error;
  }
  await wait(pause);
  return enforce(options, pauses);
}

async function masked(json, authorization) {
  const response = await enforce({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) },
    body: JSON.stringify({ parameters: {}, vendor: {}, json }),
  });
  if (!response.ok) throw new Error(`The authorizer answers ${response.status}`);
  return response.text();
}

let leaving = false;

async function answer(request, response) {
  // Callers with a connection of their own open another one, to another pod.
  if (leaving) response.shouldKeepAlive = false;
  const [path] = request.url.split('?');
  if (path === '/health') {
    response.end();
    return;
  }
  try {
    const body = await masked(ORDERS, request.headers.authorization);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  } catch (error) {
    // Without a masked payload there is no answer, rather than an unmasked one.
    process.stderr.write(`${error.message}\n`);
    response.writeHead(502).end();
  }
}

const server = createServer(
  { keepAliveTimeout: 75_000 },
  (request, response) => void answer(request, response),
);
server.listen(PORT);
process.on('SIGTERM', () => {
  leaving = true;
  setTimeout(() => server.close(), DRAIN_DELAY);
});
