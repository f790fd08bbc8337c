// An application that knows nothing of policies: it answers with all that it has.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import process from 'node:process';

const customers = await readFile(new URL('../payloads/customers.json', import.meta.url));

const server = createServer((request, response) => {
  const [path] = request.url.split('?');
  if (path === '/health') response.end('up');
  else if (path === '/customers')
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(customers);
  else response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Ann Lee, 123-45-6789</p>');
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  process.stdout.write(`listening on ${server.address().port}\n`);
});
