import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to servers and connections that ask for any: none of those takes the port meanwhile. */
const LOWEST = 20_000;

/** Each worker of the tests has ports that no other has: none takes a port between here and the start of a program on it. */
const PER_WORKER = 1000;
const WORKERS = 10;

const first = LOWEST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS) * PER_WORKER;
let next = randomInt(PER_WORKER);

/** A port of loopback on which nothing listens now. */
export async function freePort(): Promise<number> {
  const port = first + next;
  next = (next + 1) % PER_WORKER;
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
