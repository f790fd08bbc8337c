import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { listening, portOf, stopLater } from '../../pdp/transport/setup.ts';
import type { StubAnswer, StubPdp } from '../../pdp/stub.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { PATIENCE, startEnforcement, type Service } from '../../support/service.ts';

/** A request as the application got it. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An application on loopback. `closeAll` stops it. */
export interface Application {
  readonly port: number;
  readonly url: string;
  /** The requests that it has read whole. */
  readonly received: readonly Received[];
}

/** Starts an application that reads each request and answers with `handler`. */
export async function startApplication(handler: RequestListener): Promise<Application> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', rawHeaders, headers } = request;
    const take = (body: Buffer): void => {
      received.push({ method, url, rawHeaders, headers, body: body.toString() });
      handler(request, response);
    };
    buffer(request).then(take, () => undefined);
  });
  await listening(server);
  const port = portOf(server);
  return { port, url: `http://127.0.0.1:${port}`, received };
}

/** Starts an application that handles each connection itself, from the first request on it. */
export async function startRawApplication(
  answer: (socket: Socket, request: string) => void,
): Promise<{ readonly url: string; readonly received: string[] }> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      received.push(bytes.toString('latin1'));
      answer(socket, bytes.toString('latin1'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, received };
}

/** What applications keep from clients in these tests. */
export const SECRET = 'planted-secret-123';

/** Masks `ssn` in every record. */
export const MASKS_SSN: StubAnswer = { body: decision({ access: [maskRule('ssn')] }) };

/** A proxy with the service and the PDP around it. */
export interface Proxied extends Service {
  readonly proxyPort: number;
  readonly pdp: StubPdp;
}

/** Starts the service with a proxy in front of an application. */
export async function startProxied(
  upstream: string,
  written: Readonly<Record<string, unknown>> = {},
  answer: Parameters<StubPdp['answer']>[0] = MASKS_SSN,
): Promise<Proxied> {
  const proxy = { port: 8443, upstream, timeout: PATIENCE, ...Object(written['proxy'] ?? {}) };
  const service = await startEnforcement(answer, { pdpBreaker: { enabled: false }, ...written, proxy });
  const { proxyPort } = service;
  if (proxyPort === undefined) throw new Error('the service has no proxy');
  return { ...service, proxyPort };
}

/** Starts an application that answers everything in this way, and a proxy in front of it. */
export async function startBoth(
  handler: RequestListener,
  written: Readonly<Record<string, unknown>> = {},
  answer: Parameters<StubPdp['answer']>[0] = MASKS_SSN,
): Promise<Proxied & { readonly application: Application }> {
  const application = await startApplication(handler);
  return { ...(await startProxied(application.url, written, answer)), application };
}

/** A handler that answers with a body of a type. */
export function answering(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string | readonly string[]>> = { 'content-type': 'application/json' },
  status = 200,
): RequestListener {
  return (_request, response) => {
    const fields = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one]),
    );
    response.writeHead(status, fields.flat());
    response.end(body);
  };
}
