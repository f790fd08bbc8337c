// An application that knows nothing of masking: it answers with everything it has.
import { createServer } from 'node:http';

const CUSTOMERS = [
  { id: 'c1', name: 'Ann Lee', owner: 'jane', ssn: '123-45-6789', balance: 1250.5, legalHold: false },
  { id: 'c2', name: 'Bob Ray', owner: 'max', ssn: '987-65-4321', balance: 90.25, legalHold: false },
  { id: 'c3', name: 'Cy Wu', owner: 'jane', ssn: '555-44-3333', balance: 3.1, legalHold: true },
];

const server = createServer((request, response) => {
  const [path] = request.url.split('?');
  if (path === '/health') return void response.end('ok');
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(CUSTOMERS));
});

server.listen(Number(process.env.PORT ?? 8081));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
