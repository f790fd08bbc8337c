import { once } from 'node:events';
import { connect } from 'node:net';
import type { PdpConnection } from '../port.ts';
import { startDeadline } from './deadline.ts';

/** How long a connection may take to come about. */
const TRY_SECONDS = 2;

/** What answers TCP connections for an endpoint. */
interface Target {
  readonly host: string;
  readonly port: number;
  /** Both, as people write them. */
  readonly name: string;
}

/** The host and port of an `http:` or `https:` URL. */
export function targetOf({ protocol, hostname, port }: URL): Target {
  const number = port === '' ? defaultPort(protocol) : Number(port);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: number, name: `${hostname}:${number}` };
}

/**
 * Opens a connection and closes it again. Never throws.
 *
 * @param closing gives the try up
 */
export async function tryConnection(target: Target, closing: AbortSignal): Promise<PdpConnection> {
  const deadline = startDeadline(TRY_SECONDS * 1000, closing);
  const socket = connect({ host: target.host, port: target.port, signal: deadline.signal });
  try {
    await once(socket, 'connect');
    return { connected: true };
  } catch (error) {
    return { connected: false, reason: deadline.passed() ? silence(target) : refusal(target, error) };
  } finally {
    deadline.clear();
    socket.destroy();
  }
}

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

function silence({ name }: Target): string {
  return `no connection to ${name} within ${TRY_SECONDS} s`;
}

function refusal({ host, name }: Target, error: unknown): string {
  const code = Error.isError(error) && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ECONNREFUSED':
      return `connection refused by ${name}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${host} cannot be resolved`;
    case 'ABORT_ERR':
      return 'the connection to the PDP is closed';
    default:
      return `no connection to ${name} (${String(code)})`;
  }
}
