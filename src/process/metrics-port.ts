import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Configuration } from '../config/schema.ts';
import type { Logger } from '../telemetry/log/logger.ts';
import { serveMetrics } from '../telemetry/metrics/server.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { listenFailure } from './listen-failure.ts';

/**
 * Opens the port for metrics where the configuration has one.
 *
 * @param read the metrics as text
 * @throws StartFailure where it cannot listen
 */
export async function openMetricsPort(
  { metrics: { host, port } }: Configuration,
  read: () => Promise<string>,
  log: Logger,
): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  return serveMetrics({ host, port, read, log }).catch((error: unknown) => {
    throw new StartFailure(listenFailure(toErrno(error), host, port));
  });
}

/** Closes it at once: nobody waits for metrics. */
export async function closeMetricsPort(server: Server | undefined): Promise<void> {
  if (server === undefined) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
