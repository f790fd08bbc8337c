import type { Command } from 'commander';
import { loadInProcess, loadPolicyWarnings, type Sources } from '../compose/index.ts';
import { loadConfiguration, type Configuration } from '../config/index.ts';
import { DEEPEST, intentFrom, type Intent } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';
import { optionsRefused, vendorFrom, type Enforcing } from '../places/command-line/index.ts';
import { createLineLogger } from '../telemetry/log/index.ts';
import type { PolicyOptions } from './policy-options.ts';
import { standardError } from './standard-files.ts';

/** Does something with what the options of a command say to enforce with, and lets go of it. */
export async function enforcingBy(
  options: PolicyOptions,
  command: Command,
  act: (enforcing: Enforcing, configuration: Configuration) => Promise<void>,
): Promise<void> {
  const { openInProcess, ...inProcess } = await loadInProcess();
  const sources = await sourcesFrom(options, command, inProcess);
  const { configuration } = sources;
  const log = createLineLogger(configuration.log.level, standardError);
  if (sources.policies !== undefined) {
    const { warningsAbout } = await loadPolicyWarnings();
    for (const warn of warningsAbout(sources.policies.current)) warn(log);
  }
  const enforcement = await openInProcess(sources, log);
  try {
    await act({ ...enforcement, log, intent: intentOf(options) }, configuration);
  } finally {
    await enforcement.close();
    await log.close();
  }
}

/**
 * The configuration or the policy file that a command line names.
 *
 * @throws ConfigurationError with everything that is wrong with it, or with the policy file
 */
async function sourcesFrom(
  { config, policies }: PolicyOptions,
  command: Command,
  { sourcesFor }: Pick<Awaited<ReturnType<typeof loadInProcess>>, 'sourcesFor'>,
): Promise<Sources> {
  if (config !== undefined && policies !== undefined)
    command.error('error: -c and -p both say which policies hold; keep one of them');
  if (config !== undefined) return { configuration: await loadConfiguration(config, NO_LISTENER) };
  if (policies !== undefined) return sourcesFor(policies, NO_KEYS);
  return command.error("error: no policies; give '-p POLICIES', or '-c FILE' for a configuration");
}

/** A command listens on no port, so that a configuration needs none. */
const NO_LISTENER = { port: 0 };

/** A policy file alone names no keys of hashes. */
const NO_KEYS: ReadonlySet<string> = new Set();

function intentOf({ as, vendor, parameters }: PolicyOptions): Intent {
  try {
    return { ...intentFrom({ vendor: vendorFrom(as, vendor), parameters }, DEEPEST), headers: [] };
  } catch (error) {
    throw error instanceof ServiceError ? optionsRefused(error) : error;
  }
}
