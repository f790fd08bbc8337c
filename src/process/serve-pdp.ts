import { loadPolicyReports } from '../compose/index.ts';
import { loadLogger } from '../telemetry/log/index.ts';
import { loadEmbeddedPdp } from '../pdp/index.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { chosenPortFailure } from './listen-failure.ts';
import { logCrash } from './process-log.ts';
import type { Running } from './running.ts';

interface PdpOptions {
  /** The policy file. */
  readonly policies: string;
  readonly port: number;
  readonly host: string | undefined;
  /** How long to serve on once a signal comes, in milliseconds. */
  readonly drainDelay: number;
}

/**
 * Serves the embedded PDP over HTTP.
 *
 * @throws ConfigurationError if the policy file is wrong, or StartFailure if it cannot listen
 */
export async function servePdp({ policies, port, host, drainDelay }: PdpOptions): Promise<Running> {
  const { createLogger } = await loadLogger();
  const logger = createLogger({ level: 'info', format: 'json' });
  logCrash(logger);
  const { reportPolicies } = await loadPolicyReports();
  const { loadPdpServer, watchPolicyFile } = await loadEmbeddedPdp();
  const { startPdpServer } = await loadPdpServer();
  const watched = await watchPolicyFile(policies, reportPolicies(policies, logger));
  const server = await startPdpServer({ policies: watched, port, host, logger }).catch((error: unknown) => {
    watched.close();
    throw new StartFailure(chosenPortFailure(toErrno(error), host, port));
  });
  return {
    async announce() {
      logger.info('Listening', { host: host ?? 'all addresses', port: server.port });
    },
    async stop(reason) {
      logger.info('Stopping', { reason });
      // Until the last answer, it decides by the file as it is then.
      await server.close(drainDelay);
      watched.close();
      logger.info('Stopped');
      await logger.close();
      return true;
    },
    hurry: () => server.hurry(),
  };
}
