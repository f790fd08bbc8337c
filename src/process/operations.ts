import { once } from 'node:events';
import type { Server } from 'node:http';
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
}

interface Port {
  readonly port: number;
  readonly host: string | undefined;
  readonly hasHealth: boolean;
  readonly hasMetrics: boolean;
}

/** The listeners for operators: health, metrics, or both on one port. */
export interface Operations {
  /** Closes them at once: nobody waits for what they answer. */
  close(): Promise<void>;
}

/**
 * Opens the ports for health and metrics that the configuration names.
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
  for (const port of portsOf(configuration)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- there are two at most
      servers.push(await open(port, configuration, offer, log));
    } catch (error) {
      // oxlint-disable-next-line no-await-in-loop
      await close();
      throw new StartFailure(listenFailure(toErrno(error), port.host, port.port));
    }
  }
  return { close };
}

/** One port has both if both name it; the configuration is verified, so their hosts are then the same. */
function portsOf({ health, metrics }: Configuration): readonly Port[] {
  const ports: Port[] = [];
  if (health.port !== undefined) {
    ports.push({
      ...health,
      port: health.port,
      host: health.host,
      hasHealth: true,
      hasMetrics: health.port === metrics.port,
    });
  }
  if (metrics.port !== undefined && metrics.port !== health.port) {
    ports.push({ port: metrics.port, host: metrics.host, hasHealth: false, hasMetrics: true });
  }
  return ports;
}

function open(
  { port, host, hasHealth, hasMetrics }: Port,
  configuration: Configuration,
  offer: Offer,
  log: Logger,
): Promise<Server> {
  const handler = createOperationsApp({
    health: hasHealth ? offer.health : undefined,
    metrics: hasMetrics ? offer.metrics : undefined,
    lifecycle: offer.health.lifecycle,
    log,
  });
  const tls = { clientCertificates: 'none' } as const;
  return listen(handler, { ...configuration, port, host, tls, log, onMalformed: () => undefined });
}

async function closeAtOnce(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
