import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type App } from '../compose/index.ts';
import type { Configuration } from '../config/index.ts';
import { TlsFilesError, drain, listen } from '../places/listener/index.ts';
import type { PdpConnection } from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { shareMetrics } from '../telemetry/metrics/index.ts';
import { openTracing } from '../telemetry/traces/index.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { listenFailure } from './listen-failure.ts';
import { openOperations, type Operations } from './operations.ts';

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
  /** Has `stop` not wait until callers have gone elsewhere. */
  hurry(): void;
  /** Whether the PDP can be reached. */
  connection(): Promise<PdpConnection>;
  /** Has every other process of it go on in a new log file. */
  reopenLogs?(): void;
  /** Has every other process of it log everything, or only what is configured again. */
  setDebug?(on: boolean): void;
}

/**
 * Serves in this process.
 *
 * @throws StartFailure if it cannot listen
 */
export async function serveAlone(configuration: Configuration, log: Logger): Promise<Instance> {
  const tracing = await openTracing(configuration.tracing, log);
  const app = createApp(configuration, log, { tracing });
  const operations = await offerOperations(app, configuration, log);
  const server = await listenAs(app, configuration, log).catch(async (error: unknown) => {
    await operations?.close();
    throw error;
  });
  return {
    port: portOf(server.address()),
    connection: () => app.connection(),
    hurry: () => app.lifecycle.hurry(),
    async stop() {
      const isFinished = await drain(server, app.lifecycle, configuration);
      if (!isFinished) log.error('Requests cut off: not finished within drainTimeout');
      await app.close();
      await operations?.close();
      return isFinished;
    },
  };
}

/** A worker has no ports of its own for operators: the primary process has them for all. */
async function offerOperations(
  app: App,
  configuration: Configuration,
  log: Logger,
): Promise<Operations | undefined> {
  const { metrics } = app;
  if (!cluster.isWorker) {
    const read = metrics && (() => metrics.registry.metrics());
    return openOperations(configuration, { health: app, metrics: read, explain: app.explain }, log);
  }
  if (metrics !== undefined) shareMetrics(metrics.registry);
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
