import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to servers and connections that ask for any: none of those takes the port meanwhile. */
const LOWEST = 20_000;
const HIGHEST = 29_999;

/** A port of loopback on which nothing listens now. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST + 1);
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
