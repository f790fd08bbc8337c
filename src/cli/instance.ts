import type { AddressInfo } from 'node:net';
import { createApp } from '../app.ts';
import type { Configuration } from '../config/schema.ts';
import { closeServer, listen } from '../http/server.ts';
import type { Logger } from '../logging/logger.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { listenFailure } from './listen-failure.ts';

/** What serves the port: this process, or several others on its behalf. */
export interface Instance {
  /** The port that it listens on. */
  readonly port: number | undefined;
  /** Finishes what is under way and stops listening. */
  stop(): Promise<void>;
  /** Has every other process of it go on in a new log file. */
  reopenLogs?(): void;
}

/**
 * Serves in this process.
 *
 * @throws StartFailure where it cannot listen
 */
export async function serveAlone(configuration: Configuration, log: Logger): Promise<Instance> {
  const app = createApp(configuration, log);
  const { host, port } = configuration;
  const server = await listen(app.handler, { host, port }).catch((error: unknown) => {
    throw new StartFailure(listenFailure(toErrno(error), host, port));
  });
  return {
    port: portOf(server.address()),
    async stop() {
      app.lifecycle.drain();
      await closeServer(server);
      await app.close();
    },
  };
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === 'object' ? address?.port : undefined;
}
