import cluster from 'node:cluster';
import { writeFile } from 'node:fs/promises';
import { loadConfiguration, type Configuration } from '../config/index.ts';
import { whenQuiet, whyUnwritable } from '../files/index.ts';
import type { LogLevel, Logger, RootLogger } from '../telemetry/log/index.ts';
import { StartFailure } from './failure.ts';
import { collectByAllocation, keepHeapSmall } from './heap.ts';
import { serveAlone, type Instance } from './instance.ts';
import { optimizeSooner } from './optimize-sooner.ts';
import { openLog } from './process-log.ts';
import type { Running } from './running.ts';
import { serveShared, workersToStart } from './shared-instance.ts';

interface ServeOptions {
  /** Of the configuration file, in hexadecimal, if no other file is to be read. */
  readonly configSha256?: string | undefined;
  /** Logs there, and not to standard output. */
  readonly logFile?: string | undefined;
  /** The file that gets the address once the service listens, for the process that started it. */
  readonly readyFile?: string | undefined;
}

/**
 * Starts the service.
 *
 * @param file the configuration file
 * @throws ConfigurationError, or StartFailure if it cannot log or listen
 */
export async function serve(
  file: string,
  { configSha256, logFile, readyFile }: ServeOptions,
): Promise<Running> {
  // Half a configuration may be a valid one.
  await whenQuiet([file]);
  const configuration = await loadConfiguration(file, {}, configSha256);
  const { log, reopen } = await openLog(configuration.log, logFile);
  const workers = workersToStart(configuration);
  const instance = await startInstance(configuration, log, workers);
  keepHeapSmall();
  collectByAllocation();
  optimizeSooner();
  let isStopping = false;
  return {
    async announce() {
      await instance.whole;
      if (isStopping) return;
      const { host = 'all addresses' } = configuration;
      announce(log, 'Listening', { host, port: instance.port, ...(workers > 0 && { workers }) });
      announceProxy(configuration, instance, log);
      if (cluster.isPrimary) await warnOfPdp(instance, log);
      if (cluster.isPrimary && readyFile !== undefined)
        await writeReadyFile(readyFile, configuration, instance);
    },
    async stop(reason) {
      isStopping = true;
      announce(log, 'Stopping', { reason });
      const isFinished = await instance.stop();
      announce(log, 'Stopped');
      await log.close();
      return isFinished;
    },
    hurry: () => instance.hurry(),
    setDebug(on) {
      instance.setDebug?.(on);
      setDebug(log, on, configuration.log.level);
    },
    ...(reopen && {
      async reopenLog() {
        instance.reopenLogs?.();
        await reopen();
      },
    }),
  };
}

/** The service serves without its PDP and fails closed, so that both can be started in any order. */
async function warnOfPdp(instance: Instance, log: Logger): Promise<void> {
  const connection = await instance.connection();
  if (connection.connected) return;
  const { reason } = connection;
  log.warn('PDP unreachable: requests fail with 502', { reason });
}

/** Says so while it can be read. */
function setDebug(log: RootLogger, on: boolean, configured: LogLevel): void {
  log.setLevel('debug');
  announce(log, 'Log level changed', { to: on ? 'debug' : configured });
  if (!on) log.setLevel(configured);
}

function startInstance(configuration: Configuration, log: Logger, workers: number): Promise<Instance> {
  return workers > 0 ? serveShared(configuration, log, workers) : serveAlone(configuration, log);
}

/** Logs what becomes of the service; a worker is only a part of it. */
function announce(log: Logger, message: string, fields?: Readonly<Record<string, unknown>>): void {
  log[cluster.isPrimary ? 'info' : 'debug'](message, fields);
}

function announceProxy({ proxy }: Configuration, { proxyPort }: Instance, log: Logger): void {
  if (proxy.port === undefined) return;
  const { host = 'all addresses', upstream } = proxy;
  announce(log, 'Proxy listening', { host, port: proxyPort ?? proxy.port, upstream });
}

async function writeReadyFile(file: string, configuration: Configuration, instance: Instance): Promise<void> {
  await writeFile(file, `${addressOf(configuration, instance)}\n`).catch(async (error: unknown) => {
    // Nobody was told the address, so nobody has to be given time to leave it.
    instance.hurry();
    await instance.stop();
    throw new StartFailure(`The file ${file} cannot be written: ${whyUnwritable(error)}.`);
  });
}

function addressOf({ host = 'localhost', tls }: Configuration, { port }: Instance): string {
  const scheme = tls.certFile === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
