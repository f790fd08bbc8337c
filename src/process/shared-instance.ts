import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { startWorkers } from './workers/worker-pool.ts';
import type { Configuration } from '../config/schema.ts';
import type { Logger } from '../telemetry/log/logger.ts';
import { sharedMetrics } from '../telemetry/metrics/shared.ts';
import { StartFailure } from './failure.ts';
import { serveAlone, type Instance } from './instance.ts';
import { closeMetricsPort, openMetricsPort } from './metrics-port.ts';

/** How many other processes this one is to serve with; 0 where it serves itself. */
export function workersToStart({ workers }: Configuration): number {
  const count = workers === 'auto' ? availableParallelism() : workers;
  return cluster.isPrimary && count > 1 ? count : 0;
}

/**
 * Serves with several processes on the one port.
 *
 * @throws StartFailure where they cannot listen
 */
export async function serveShared(
  configuration: Configuration,
  log: Logger,
  workers: number,
): Promise<Instance> {
  await tryToServe(configuration, log);
  const metricsPort = await openMetricsPort(configuration, sharedMetrics(), log);
  const pool = await startWorkers({ count: workers, drainTimeout: configuration.drainTimeout, log });
  const stop = async (): Promise<boolean> => {
    const isFinished = await pool.stop();
    await closeMetricsPort(metricsPort);
    return isFinished;
  };
  if (pool.port === undefined) {
    await stop();
    throw new StartFailure('No worker came to listen.');
  }
  return {
    port: pool.port,
    stop,
    reopenLogs: () => pool.reopenLogs(),
    setDebug: (on) => pool.setDebug(on),
  };
}

/** What stands in the way of serving is then said once, by this process, and not by each worker. */
async function tryToServe(configuration: Configuration, log: Logger): Promise<void> {
  const instance = await serveAlone({ ...configuration, drainDelay: 0 }, log);
  await instance.stop();
}
