import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Registry } from 'prom-client';
import type { Logger } from '../log/logger.ts';

interface MetricsServerOptions {
  readonly host: string | undefined;
  readonly port: number;
  /** The metrics in Prometheus' text format. */
  readonly read: () => Promise<string>;
  readonly log: Logger;
}

const PATH = '/metrics';

/**
 * Serves metrics on a port of their own, at `/metrics`.
 *
 * @returns the server, once it listens
 * @throws the system's error where the port is taken, the host unknown, …
 */
export async function serveMetrics({ host, port, read, log }: MetricsServerOptions): Promise<Server> {
  const server = createServer(metricsHandler(read, log));
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  await once(server, 'listening');
  return server;
}

/** Answers `GET` and `HEAD` of `/metrics`, 404 elsewhere. */
function metricsHandler(read: () => Promise<string>, log: Logger): RequestListener {
  return ({ method, url = '' }, response) => {
    if (url.split('?', 1)[0] !== PATH) response.writeHead(404).end();
    else if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    else {
      read().then(
        (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
        (error: unknown) => {
          log.error('Metrics cannot be read', { error });
          response.writeHead(500).end();
        },
      );
    }
  };
}
