import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from './caller.ts';

/** Opens a connection to a port of loopback. */
export async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they stand and reads what comes until the other side ends the connection. */
export async function exchanged(port: number, message: string | Uint8Array): Promise<string> {
  const socket = await connected(port);
  socket.write(message);
  return restOf(socket);
}

/** What comes over a connection until the other side ends it. */
export async function restOf(socket: Socket): Promise<string> {
  const received = await text(socket);
  socket.destroy();
  return received;
}

/** The answers in what was received over a connection; each must say how long it is. */
export function answersIn(received: string): readonly Answer[] {
  if (received === '') return [];
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const headers = headersIn(head);
  const behind = rest.join('\r\n\r\n');
  const length = Number(headers['content-length'] ?? 0);
  const answer = { status: Number(head.split(' ')[1]), headers, text: behind.slice(0, length) };
  return [answer, ...answersIn(behind.slice(length))];
}

function headersIn(head: string): Readonly<Record<string, string>> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => line.split(': ', 2)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
  );
}
