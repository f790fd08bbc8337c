import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Configuration } from '../config/index.ts';
import { createOperationsApp, type Health } from '../places/enforce-api/index.ts';
import { listen } from '../places/listener/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { listenFailure } from './listen-failure.ts';

/** What is served on ports that callers do not reach. */
interface Offer {
  readonly health: Health;
  /** Reads the metrics in Prometheus' text format; undefined if none are collected. */
  readonly metrics: (() => Promise<string>) | undefined;
  /** Answers `POST /explain`; undefined if the service explains nothing. */
  readonly explain: RequestListener | undefined;
}

interface Port {
  readonly port: number;
  readonly host: string | undefined;
  readonly handler: RequestListener;
}

/** The listeners for operators: health, metrics, or both on one port; explanations. */
export interface Operations {
  /** Closes them at once: nobody waits for what they answer. */
  close(): Promise<void>;
}

/**
 * Opens the ports for health, metrics and explanations that the configuration names.
 *
 * @throws StartFailure if one of them cannot be listened on
 */
export async function openOperations(
  configuration: Configuration,
  offer: Offer,
  log: Logger,
): Promise<Operations> {
  const servers: Server[] = [];
  const close = async (): Promise<void> => void (await Promise.all(servers.map(closeAtOnce)));
  for (const port of portsOf(configuration, offer, log)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- there are three at most
      servers.push(await open(port, configuration, log));
    } catch (error) {
      // oxlint-disable-next-line no-await-in-loop
      await close();
      throw new StartFailure(listenFailure(toErrno(error), port.host, port.port));
    }
  }
  return { close };
}

/** One port has both if both name it; the configuration is verified, so their hosts are then the same. */
function portsOf({ health, metrics, explain }: Configuration, offer: Offer, log: Logger): readonly Port[] {
  const handlerFor = (has: { readonly health: boolean; readonly metrics: boolean }) =>
    createOperationsApp({
      health: has.health ? offer.health : undefined,
      metrics: has.metrics ? offer.metrics : undefined,
      lifecycle: offer.health.lifecycle,
      log,
    });
  const ports: Port[] = [];
  if (health.port !== undefined) {
    const handler = handlerFor({ health: true, metrics: health.port === metrics.port });
    ports.push({ port: health.port, host: health.host, handler });
  }
  if (metrics.port !== undefined && metrics.port !== health.port) {
    ports.push({
      port: metrics.port,
      host: metrics.host,
      handler: handlerFor({ health: false, metrics: true }),
    });
  }
  if (explain.port !== undefined && offer.explain) {
    ports.push({ port: explain.port, host: explain.host, handler: offer.explain });
  }
  return ports;
}

function open({ port, host, handler }: Port, configuration: Configuration, log: Logger): Promise<Server> {
  const tls = { clientCertificates: 'none' } as const;
  return listen(handler, { ...configuration, port, host, tls, log, onMalformed: () => undefined });
}

async function closeAtOnce(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
