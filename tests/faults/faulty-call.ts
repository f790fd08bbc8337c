import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { CALLER_FAULTS } from './unruly-callers.ts';

type CallerFault = (typeof CALLER_FAULTS)[number];

/** Sends the bytes of a fault and ends the connection as it says. @returns what came back */
export async function play(port: number, { bytes, ending }: Omit<CallerFault, 'name'>): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  // A connection that the other side resets while bytes go out is as over as any.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await new Promise((sent) => socket.write(bytes, sent));
  finish(socket, ending);
  await closed;
  return received;
}

function finish(socket: Socket, ending: CallerFault['ending']): void {
  if (ending === 'leaves') socket.destroy();
  if (ending === 'resets') socket.resetAndDestroy();
}
