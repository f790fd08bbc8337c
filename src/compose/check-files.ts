import { errorIn, type Configuration } from '../config/index.ts';
import { loadClientTls, type CurrentPolicies } from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { ConfigurationError } from '../yaml/index.ts';
import { warningsAbout, warningsWith } from './policy-warnings.ts';
import { openConfiguredKeys } from './keys.ts';
import { withPdpTls } from './pdp.ts';
import { readPolicies } from './policies.ts';
import { areTokensIdle, warnOfIdleTokens } from './tokens.ts';

/** The keys are closed before any of them can change. */
const NO_CHANGES = { info: () => undefined, error: () => undefined };

/**
 * Verifies what the service would read at its start besides the configuration.
 *
 * @param openLog opens the log, which is needed only if there is something to warn of
 * @throws ConfigurationError with everything that is wrong with the files
 */
export async function checkFiles(
  configuration: Configuration,
  openLog: () => Promise<Logger>,
): Promise<void> {
  let policies: CurrentPolicies | undefined;
  const found = await Promise.all([
    errorsOf(async () => (policies = await readPolicies(configuration))),
    errorsOf(async () => (await openConfiguredKeys(configuration, NO_CHANGES)).close()),
    errorsOf(async () => checkClientTls(configuration)),
    errorsOf(async () => checkTls(configuration)),
  ]);
  const errors = found.flat();
  if (errors.length > 0) throw together(errors, configuration);
  if (policies) await warnOfPolicies(configuration, policies, openLog);
  if (areTokensIdle(configuration)) warnOfIdleTokens(await openLog());
  const { proxy, extProc } = configuration;
  if (proxy.port !== undefined || extProc.port !== undefined) await checkRoutes(configuration, openLog);
}

async function warnOfPolicies(
  configuration: Configuration,
  { current }: CurrentPolicies,
  openLog: () => Promise<Logger>,
): Promise<void> {
  const warnings = [...warningsAbout(current), ...warningsWith(configuration, current)];
  if (warnings.length === 0) return;
  const log = await openLog();
  for (const warn of warnings) warn(log);
}

async function errorsOf(check: () => Promise<unknown>): Promise<readonly ConfigurationError[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error];
    throw error;
  }
}

/** One error for several: those of the configuration as one, and that of a policy file. */
function together(errors: readonly ConfigurationError[], configuration: Configuration): ConfigurationError {
  const heading = errorIn(configuration, []).file;
  const own = errors.filter(({ file }) => file === heading).flatMap(({ problems }) => problems);
  const others = errors.filter(({ file }) => file !== heading);
  const all = own.length === 0 ? others : [errorIn(configuration, own), ...others];
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const message = all.map((error) => error.message).join('\n');
  return new ConfigurationError(
    message,
    all.flatMap(({ problems }) => problems),
  );
}

/** A configuration with a policy file has no `pdpTls`. */
async function checkClientTls(configuration: Configuration): Promise<void> {
  const { pdpTls } = configuration;
  if (Object.values(pdpTls).every((value) => value === undefined)) return;
  const { readClientTls } = await loadClientTls();
  withPdpTls(configuration, () => readClientTls(pdpTls));
}

async function checkTls(configuration: Configuration): Promise<void> {
  const { tls } = configuration;
  if (tls.certFile === undefined) return;
  const { TlsFilesError, loadTls } = await import('../places/listener/index.ts');
  const { readTlsFiles } = await loadTls();
  try {
    readTlsFiles(tls);
  } catch (error) {
    throw error instanceof TlsFilesError ? errorIn(configuration, error.problems) : error;
  }
}

async function checkRoutes(configuration: Configuration, openLog: () => Promise<Logger>): Promise<void> {
  const { compileRoutes } = await import('../places/routes/index.ts');
  const routes = compileRoutes(configuration);
  const { areDoubtful, warnOfRoutes } = await import('./doubtful-routes.ts');
  if (areDoubtful(routes)) warnOfRoutes(routes, await openLog());
}
