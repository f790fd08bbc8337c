import type { AddressInfo } from 'node:net';
import { createApp } from '../app.ts';
import { loadConfiguration } from '../config/load.ts';
import { closeServer, listen } from '../http/server.ts';
import { createLogger } from '../logging/logger.ts';
import { StartFailure } from './failure.ts';
import { listenFailure } from './listen-failure.ts';

/** Something that runs until it is told to stop. */
export interface Running {
  /** Finishes what is under way and lets go of everything. */
  stop(reason: string): Promise<void>;
}

/**
 * Starts the service.
 *
 * @param file the configuration file
 * @throws ConfigurationError, or StartFailure where it cannot listen
 */
export async function serve(file: string): Promise<Running> {
  const configuration = await loadConfiguration(file);
  const log = createLogger(configuration.log);
  const app = createApp(configuration, log);
  const { host, port } = configuration;
  const server = await listen(app.handler, { host, port }).catch((error: unknown) => {
    throw new StartFailure(listenFailure(toErrno(error), host, port));
  });
  log.info('Listening', { host: host ?? 'all addresses', port: portOf(server.address()) });
  return {
    async stop(reason) {
      log.info('Stopping', { reason });
      app.lifecycle.drain();
      await closeServer(server);
      await app.close();
      log.info('Stopped');
      await log.close();
    },
  };
}

/** Verifies a configuration, and the policy file that it names, without starting anything. */
export async function check(file: string): Promise<string> {
  const configuration = await loadConfiguration(file);
  const log = createLogger(configuration.log);
  await createApp(configuration, log).close();
  await log.close();
  return `${file}: the configuration is valid.`;
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === 'object' ? address?.port : undefined;
}

/** What a failed call of the system threw. */
export function toErrno(error: unknown): NodeJS.ErrnoException {
  return error instanceof Error ? error : new Error(String(error));
}
