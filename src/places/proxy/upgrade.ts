import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Collected } from '../../core/index.ts';
import type { HeaderFields } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import {
  endToEnd,
  fieldsOf,
  listedIn,
  PROBLEM_TYPE,
  problemFrom,
  resetConnection,
  serviceErrorFrom,
  statusOf,
  valuesOf,
  type Upgrades,
} from '../listener/index.ts';
import { ProxyExchange } from './exchange.ts';
import { admit } from './proxy.ts';
import { trustedFields, forwardedFields, type RequestHead } from './request-head.ts';
import type { ProxyOptions } from './transit.ts';
import { late, serverNameOf, upstreamProblem } from './upstream.ts';

/** HTTP again, which would carry requests for any path past the routes; and TLS, which would hide them. */
const NOT_TUNNELLED = /^(?:h[23]c?|http|tls)(?![a-z])/u;
/** A protocol, with its version if it has one (RFC 9110 §7.8). */
const PROTOCOL = /^[\w!#$%&'*+.^`|~-]+(?:\/[\w!#$%&'*+.^`|~-]+)?$/u;

/** After how long without a byte it is asked whether the other end of a tunnel is still there, in milliseconds. */
const KEEP_ALIVE = 60_000;
/** How much a client may send before the application has agreed to the protocol, in bytes. */
const MAX_AHEAD = 65_536;

interface UpgradeOptions extends ProxyOptions {
  /** The origin of the application. */
  readonly origin: URL;
  /** How long it may take to answer, in milliseconds. */
  readonly timeout: number;
}

/**
 * Handles requests for another protocol, such as WebSocket: tunnels them on routes that pass, and refuses them on others. Clients that
 * offer HTTP/2 or TLS alone, as some do with each request, are answered by HTTP/1.1.
 */
export function upgradesBy(options: UpgradeOptions): Upgrades {
  return {
    concern: ({ rawHeaders }) => protocolsIn(rawHeaders).some((name) => !NOT_TUNNELLED.test(name)),
    handle: ({ request, socket, rest, isAnswering }) => {
      socket.on('error', () => socket.destroy());
      // What is written now would be taken for the answer to an earlier request.
      if (isAnswering) return void socket.destroy();
      const exchange = new UpgradeExchange(request, options.log);
      socket.once('close', () => {
        exchange.abort();
        exchange.end(request.method ?? '', exchange.status, options.observe);
      });
      try {
        tunnel(request, socket, rest, admitUpgrade(request, exchange, options), exchange, options);
      } catch (error) {
        refuse(socket, exchange, serviceErrorFrom(error));
      }
    },
  };
}

/** An exchange whose answer is written to the socket itself. */
class UpgradeExchange extends ProxyExchange {
  /** Of the answer; undefined if there is none yet. */
  status: number | undefined;
}

function protocolsIn(rawHeaders: readonly string[]): readonly string[] {
  return listedIn(fieldsOf(rawHeaders), 'upgrade');
}

/** @throws ServiceError `upgrade-refused` */
function admitUpgrade(request: IncomingMessage, exchange: ProxyExchange, options: ProxyOptions): RequestHead {
  const { head, match } = admit(request, exchange, options);
  if (match.route.treatment !== 'pass')
    throw new ServiceError('upgrade-refused', 'Connections for this path cannot be upgraded.');
  const protocols = protocolsIn(request.rawHeaders);
  if (head.hasBody || protocols.some((name) => NOT_TUNNELLED.test(name) || !PROTOCOL.test(name)))
    throw new ServiceError('upgrade-refused', 'Connections cannot be upgraded to this protocol.');
  return head;
}

function tunnel(
  request: IncomingMessage,
  socket: Duplex,
  rest: Buffer,
  head: RequestHead,
  exchange: UpgradeExchange,
  options: UpgradeOptions,
): void {
  const { origin, timeout } = options;
  const fields = forwardedFields(request, trustedFields(head, options), options);
  const offered = protocolsIn(request.rawHeaders);
  const ahead = readAhead(socket, rest);
  const send = origin.protocol === 'https:' ? requestHttps : requestHttp;
  const outgoing = send({
    host: origin.hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: origin.port,
    method: head.method,
    path: head.target,
    headers: [...fields, ['Connection', 'Upgrade'], ['Upgrade', offered.join(', ')]].flat(),
    agent: false,
    rejectUnauthorized: true,
    servername: serverNameOf(origin),
    signal: exchange.signal,
    timeout,
  });
  outgoing.on('timeout', () => outgoing.destroy(late(timeout)));
  outgoing.on('error', (error) => {
    if (!exchange.signal.aborted) refuse(socket, exchange, upstreamProblem(error, timeout, false));
  });
  // Without 101, no tunnel: the next bytes of the client would be requests that no route has seen.
  outgoing.on('response', (answer) => passInstead(outgoing, answer, request.socket, exchange));
  outgoing.on('upgrade', (answer, upstream, first) => {
    const chosen = protocolsIn(answer.rawHeaders);
    upstream.on('error', () => upstream.destroy());
    if (chosen.length === 0 || chosen.some((name) => !offered.includes(name))) {
      upstream.destroy();
      const problem = 'The application changed to a protocol that the client did not offer.';
      return refuse(socket, exchange, new ServiceError('upstream-failed', problem));
    }
    upstream.setTimeout(0);
    // A tunnel may be silent for days. An end that has gone without a word would hold both connections forever.
    for (const end of [request.socket, upstream]) end.setKeepAlive(true, KEEP_ALIVE);
    exchange.status = answer.statusCode;
    const upgrade = valuesOf(fieldsOf(answer.rawHeaders), 'upgrade').join(', ');
    socket.write(
      headOf(answer, [
        ['Connection', 'Upgrade'],
        ['Upgrade', upgrade],
      ]),
      'latin1',
    );
    socket.write(first);
    upstream.write(ahead.take());
    connect(socket, upstream, exchange);
  });
  outgoing.end();
}

/** Reads on while the application has not agreed, because it is not noticed otherwise that a client goes. */
function readAhead(socket: Duplex, rest: Buffer): { take(): Buffer } {
  const bytes = new Collected();
  const add = (chunk: Buffer): void => {
    bytes.add(chunk);
    if (bytes.length > MAX_AHEAD) socket.pause();
  };
  const leave = (): void => void socket.destroy();
  add(rest);
  socket.on('data', add).once('end', leave);
  return {
    take: () => {
      socket.off('data', add).off('end', leave);
      return bytes.take();
    },
  };
}

function connect(socket: Duplex, upstream: Socket, exchange: ProxyExchange): void {
  exchange.log.info('Tunnel opened', { path: exchange.route });
  socket.once('close', () => upstream.destroy());
  upstream.once('close', () => socket.destroy());
  socket.pipe(upstream);
  upstream.pipe(socket);
}

/** The application answers the request instead. The connection ends with its answer, and is cut if that breaks off. */
function passInstead(
  outgoing: ClientRequest,
  answer: IncomingMessage,
  socket: Socket,
  exchange: UpgradeExchange,
): void {
  const cut = (): void => {
    exchange.status = undefined;
    resetConnection(socket);
  };
  exchange.status = answer.statusCode;
  answer.on('data', (chunk: Buffer) => {
    exchange.responseBytes += chunk.length;
  });
  socket.write(headOf(answer, [['Connection', 'close']]), 'latin1');
  outgoing.removeAllListeners('error').on('error', cut);
  answer.once('error', cut);
  answer.pipe(socket);
}

function headOf(answer: IncomingMessage, more: HeaderFields): string {
  const fields = [...endToEnd(fieldsOf(answer.rawHeaders)), ...more];
  const lines = fields.map((field) => field.join(': '));
  return [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`, ...lines, '', ''].join('\r\n');
}

function refuse(socket: Duplex, exchange: UpgradeExchange, error: ServiceError): void {
  const { title, code } = error;
  const status = statusOf(code);
  exchange.error = error;
  exchange.status = status;
  const body = Buffer.from(JSON.stringify(problemFrom(error, exchange.requestId)));
  exchange.responseBytes = body.length;
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    ...Object.entries(error.headers)
      .filter(([name]) => name !== 'Connection')
      .map((field) => field.join(': ')),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.end(body, () => socket.destroy());
}
