import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { loadApp } from '../compose/index.ts';
import { createWorkerPool } from './workers/worker-pool.ts';
import { fileHashOf, type Configuration } from '../config/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { loadSharedMetrics } from '../telemetry/metrics/index.ts';
import { StartFailure } from './failure.ts';
import { serveAlone, type Instance } from './instance.ts';
import { openOperations } from './operations.ts';

/** How many worker processes to start; 0 if this process serves itself. */
export function workersToStart({ workers }: Configuration): number {
  const count = workers === 'auto' ? availableParallelism() : workers;
  return cluster.isPrimary && count > 1 ? count : 0;
}

/**
 * Serves with several processes on the one port.
 *
 * @throws StartFailure if they cannot listen
 */
export async function serveShared(
  configuration: Configuration,
  log: Logger,
  workers: number,
): Promise<Instance> {
  await tryToServe(configuration, log);
  // It enforces nothing: it knows whether the PDP can be reached, for the health of the whole, and explains.
  const { createApp } = await loadApp();
  const app = await createApp(configuration, log);
  const pool = createWorkerPool({
    configSha256: fileHashOf(configuration),
    drainTimeout: configuration.drainTimeout,
    log,
  });
  const health = { ...app, obstacle: () => (pool.isListening ? undefined : 'No worker process listens.') };
  const offer = { health, metrics: await metricsOf(configuration), explain: app.explain };
  const operations = await openOperations(configuration, offer, log);
  const { any, all } = pool.start(workers);
  await any;
  const stop = async (): Promise<boolean> => {
    app.lifecycle.leave();
    const isFinished = await pool.stop();
    await operations.close();
    await app.close();
    return isFinished;
  };
  if (pool.port === undefined) {
    await stop();
    throw new StartFailure('No worker came to listen.');
  }
  return {
    port: pool.port,
    whole: all,
    stop,
    connection: () => app.connection(),
    hurry: () => pool.hurry(),
    reopenLogs: () => pool.reopenLogs(),
    setDebug: (on) => pool.setDebug(on),
  };
}

async function metricsOf({ metrics }: Configuration): Promise<(() => Promise<string>) | undefined> {
  if (metrics.port === undefined) return undefined;
  const { sharedMetrics } = await loadSharedMetrics();
  return sharedMetrics();
}

/** Fails once in this process, with one message, instead of in each worker. */
async function tryToServe(configuration: Configuration, log: Logger): Promise<void> {
  const instance = await serveAlone(configuration, log);
  instance.hurry();
  await instance.stop();
}
