/** The application of the example: `node examples/envoy/application.ts` answers with the customers. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , port = '8080'] = process.argv;
const customers = readFileSync('examples/payloads/customers.json');

createServer((request, response) => {
  const [path] = (request.url ?? '').split('?');
  if (path === '/health') response.end('up');
  else response.writeHead(200, { 'content-type': 'application/json' }).end(customers);
}).listen(Number(port), '127.0.0.1');
