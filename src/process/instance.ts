import cluster from 'node:cluster';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadApp, type App } from '../compose/index.ts';
import { BYTES_PER_MB, errorIn, type Configuration } from '../config/index.ts';
import {
  defaultMaxMessage,
  openExternalProcessor,
  type ExternalProcessor,
} from '../places/ext-proc/index.ts';
import { TlsFilesError, closeServer, drain, listen, type ListenOptions } from '../places/listener/index.ts';
import type { PdpConnection } from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { loadSharedMetrics } from '../telemetry/metrics/index.ts';
import { openTracing } from '../telemetry/traces/index.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { listenFailure } from './listen-failure.ts';
import { openOperations, type Operations } from './operations.ts';

/** What serves the port: this process, or several others on its behalf. */
export interface Instance {
  /** The port that it listens on. */
  readonly port: number | undefined;
  /** The port of the proxy, if there is one. */
  readonly proxyPort?: number | undefined;
  /** Once every process of it serves or has ended; absent if this one serves alone. */
  readonly whole?: Promise<void>;
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
  const { createApp } = await loadApp();
  const app = await createApp(configuration, log, { tracing });
  const operations = await offerOperations(app, configuration, log);
  const servers = await listenAll(app, configuration, log).catch(async (error: unknown) => {
    await operations?.close();
    throw error;
  });
  const processor = await openProcessor(app, configuration, log).catch(async (error: unknown) => {
    await Promise.all(servers.map((server) => closeServer(server, 0)));
    await operations?.close();
    throw error;
  });
  return {
    port: portOf(servers[0]?.address()),
    proxyPort: portOf(servers[1]?.address()),
    connection: () => app.connection(),
    hurry: () => app.lifecycle.hurry(),
    async stop() {
      const otherListeners = processor === undefined ? [] : [(limit: number) => processor.drain(limit)];
      const isFinished = await drain(servers, app.lifecycle, { ...configuration, otherListeners });
      if (!isFinished) log.error('Requests cut off: not finished within drainTimeout');
      await app.close();
      await operations?.close();
      return isFinished;
    },
  };
}

/** A worker offers no ports for operators: the primary process has them for all workers. */
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
  if (metrics === undefined) return undefined;
  const { shareMetrics } = await loadSharedMetrics();
  shareMetrics(metrics.registry);
  return undefined;
}

/** The listener of the service, and that of the proxy if there is one. */
async function listenAll(app: App, configuration: Configuration, log: Logger): Promise<readonly Server[]> {
  const { onMalformed, proxy } = app;
  const options = { ...configuration, log, onMalformed };
  const { host, port } = configuration;
  const server = await listenAs(app.handler, { ...options, host, port }, configuration);
  const { port: proxyPort } = configuration.proxy;
  if (proxy === undefined || proxyPort === undefined) return [server];
  const { handler, listening } = proxy;
  const { host: proxyHost } = configuration.proxy;
  try {
    const where = { ...options, host: proxyHost, port: proxyPort, ...listening };
    return [server, await listenAs(handler, where, configuration)];
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Listens to Envoys, if that is configured. */
async function openProcessor(
  { processor, lifecycle }: App,
  configuration: Configuration,
  log: Logger,
): Promise<ExternalProcessor | undefined> {
  const { extProc, maxBody, maxInFlightBody } = configuration;
  const { port, host, maxMessage = defaultMaxMessage(maxBody) } = extProc;
  if (processor === undefined || port === undefined) return undefined;
  const bounds = {
    maxMessage: maxMessage * BYTES_PER_MB,
    maxUnfinished: maxInFlightBody * BYTES_PER_MB,
  };
  const listening = { ...configuration, ...bounds, port, host, log };
  const opened = await openExternalProcessor({ ...processor, listening, lifecycle }).catch(
    (error: unknown) => {
      throw startFailure(error, listening, configuration);
    },
  );
  log.info('External processor listening', { host: host ?? 'all addresses', port: opened.port });
  return opened;
}

async function listenAs(
  handler: RequestListener,
  options: ListenOptions,
  configuration: Configuration,
): Promise<Server> {
  return listen(handler, options).catch((error: unknown) => {
    throw startFailure(error, options, configuration);
  });
}

function startFailure(
  error: unknown,
  { host, port }: Pick<ListenOptions, 'host' | 'port'>,
  configuration: Configuration,
): Error {
  if (error instanceof TlsFilesError) return errorIn(configuration, error.problems);
  return new StartFailure(listenFailure(toErrno(error), host, port));
}

function portOf(address: AddressInfo | string | null | undefined): number | undefined {
  return typeof address === 'object' ? address?.port : undefined;
}
