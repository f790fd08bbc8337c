import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type App } from '../compose.ts';
import type { Configuration } from '../config/schema.ts';
import { drain } from '../places/listener/drain.ts';
import { listen } from '../places/listener/server.ts';
import { TlsFilesError } from '../places/listener/tls.ts';
import type { Logger } from '../telemetry/log/logger.ts';
import { shareMetrics } from '../telemetry/metrics/shared.ts';
import { openTracing } from '../telemetry/traces/open.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { listenFailure } from './listen-failure.ts';
import { closeMetricsPort, openMetricsPort } from './metrics-port.ts';

/** What serves the port: this process, or several others on its behalf. */
export interface Instance {
  /** The port that it listens on. */
  readonly port: number | undefined;
  /**
   * Finishes what is under way and stops listening.
   *
   * @returns whether nothing had to be cut off
   */
  stop(): Promise<boolean>;
  /** Has every other process of it go on in a new log file. */
  reopenLogs?(): void;
  /** Has every other process of it log everything, or only what is configured again. */
  setDebug?(on: boolean): void;
}

/**
 * Serves in this process.
 *
 * @throws StartFailure where it cannot listen
 */
export async function serveAlone(configuration: Configuration, log: Logger): Promise<Instance> {
  const tracing = await openTracing(configuration.tracing, log);
  const app = createApp(configuration, log, { tracing });
  const metricsPort = await offerMetrics(app, configuration, log);
  const server = await listenAs(app, configuration, log).catch(async (error: unknown) => {
    await closeMetricsPort(metricsPort);
    throw error;
  });
  return {
    port: portOf(server.address()),
    async stop() {
      const isFinished = await drain(server, app.lifecycle, configuration);
      if (!isFinished) log.error('Requests were cut off: they did not finish in time (drainTimeout)');
      await app.close();
      await closeMetricsPort(metricsPort);
      return isFinished;
    },
  };
}

/** A worker has no port for metrics: the primary process has one for all. */
async function offerMetrics(
  { metrics }: App,
  configuration: Configuration,
  log: Logger,
): Promise<Server | undefined> {
  if (metrics === undefined) return undefined;
  if (!cluster.isWorker) return openMetricsPort(configuration, () => metrics.registry.metrics(), log);
  shareMetrics(metrics.registry);
  return undefined;
}

async function listenAs(app: App, configuration: Configuration, log: Logger): Promise<Server> {
  const { host, port } = configuration;
  const { onMalformed } = app;
  return listen(app.handler, { ...configuration, host, log, onMalformed }).catch((error: unknown) => {
    if (error instanceof TlsFilesError) throw new StartFailure(error.message);
    throw new StartFailure(listenFailure(toErrno(error), host, port));
  });
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === 'object' ? address?.port : undefined;
}
