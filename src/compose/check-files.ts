import type { Configuration } from '../config/index.ts';
import { loadClientTls } from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { openConfiguredKeys } from './keys.ts';
import { readPolicies } from './policies.ts';

/** The keys are closed before any of them can change. */
const NO_CHANGES = { info: () => undefined, error: () => undefined };

/**
 * Verifies what the service would read at its start besides the configuration, except for the files of its listeners.
 *
 * @param openLog opens the log, which is needed only if there is something to warn of
 * @throws ConfigurationError if a file that the PDP or a mask needs is wrong
 */
export async function checkFiles(
  configuration: Configuration,
  openLog: () => Promise<Logger>,
): Promise<void> {
  const policies = await readPolicies(configuration);
  openConfiguredKeys(configuration, NO_CHANGES).close();
  if (policies === undefined) await checkClientTls(configuration);
  const { proxy, extProc } = configuration;
  if (proxy.port !== undefined || extProc.port !== undefined) await checkRoutes(configuration, openLog);
}

async function checkClientTls({ pdpTls }: Configuration): Promise<void> {
  if (Object.values(pdpTls).every((value) => value === undefined)) return;
  const { readClientTls } = await loadClientTls();
  readClientTls(pdpTls);
}

async function checkRoutes(configuration: Configuration, openLog: () => Promise<Logger>): Promise<void> {
  const { compileRoutes } = await import('../places/routes/index.ts');
  const { untrustedHeaders } = compileRoutes(configuration);
  if (untrustedHeaders.size === 0) return;
  const { warnOfUntrusted } = await import('./untrusted.ts');
  warnOfUntrusted(untrustedHeaders, await openLog());
}
