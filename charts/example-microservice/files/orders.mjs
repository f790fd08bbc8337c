import { createServer } from 'node:http';

const { PORT, AUTHORIZER_URL } = process.env;

const ORDERS = [
  { id: 1, item: 'Desk', card: '4111111111111111', ssn: '123-45-6789' },
  { id: 2, item: 'Lamp', card: '5500000000000004', ssn: '987-65-4321' },
];

async function masked(json, authorization) {
  const response = await fetch(`${AUTHORIZER_URL}/enforce`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) },
    body: JSON.stringify({ parameters: {}, vendor: {}, json }),
  });
  if (!response.ok) throw new Error(`The authorizer answers ${response.status}`);
  return response.text();
}

async function answer(request, response) {
  if (request.url === '/health') {
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

const server = createServer(answer).listen(PORT);
process.on('SIGTERM', () => server.close());
