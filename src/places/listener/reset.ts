import type { Socket } from 'node:net';

/**
 * Cuts a connection so that nobody takes its end for the end of an answer, as clients of HTTP/1.0 do. TLS has an end of its own,
 * which is missing if the connection is cut. Node resets no connections with TLS.
 */
export function resetConnection(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
