import process from 'node:process';
import type { Command } from 'commander';
import { loadInProcess } from '../compose/index.ts';
import { loadConfiguration, type Configuration } from '../config/index.ts';
import { intentFrom, type Intent } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';
import { notEnforced, vendorFrom, type Enforcing } from '../places/command-line/index.ts';
import { loadLogger } from '../telemetry/log/index.ts';
import type { PolicyOptions } from './policy-options.ts';

/** How deep options may nest, in levels of objects and arrays. */
const MAX_DEPTH = 1024;

/** Does something with what the options of a command say to enforce with, and lets go of it. */
export async function enforcingBy(
  options: PolicyOptions,
  command: Command,
  act: (enforcing: Enforcing, configuration: Configuration) => Promise<void>,
): Promise<void> {
  const configuration = await configurationFrom(options, command);
  const { createLogger, streamSink } = await loadLogger();
  const log = createLogger({
    level: configuration.log.level,
    format: 'text',
    sink: streamSink(process.stderr),
  });
  const { openInProcess } = await loadInProcess();
  const enforcement = await openInProcess(configuration, log);
  try {
    await act({ ...enforcement, log, intent: intentOf(options) }, configuration);
  } finally {
    await enforcement.close();
    await log.close();
  }
}

/**
 * The configuration that a command line names.
 *
 * @throws ConfigurationError with everything that is wrong with it, or with the policy file
 */
async function configurationFrom(
  { config, policies }: PolicyOptions,
  command: Command,
): Promise<Configuration> {
  if (config !== undefined && policies !== undefined)
    command.error('error: -c and -p both say which policies hold; keep one of them');
  if (config !== undefined) return loadConfiguration(config);
  if (policies !== undefined) {
    const { configurationFor } = await loadInProcess();
    return configurationFor(policies);
  }
  return command.error("error: no policies; give '-p POLICIES', or '-c FILE' for a configuration");
}

function intentOf({ as, vendor, parameters }: PolicyOptions): Intent {
  try {
    return { ...intentFrom({ vendor: vendorFrom(as, vendor), parameters }, MAX_DEPTH), headers: [] };
  } catch (error) {
    throw error instanceof ServiceError ? notEnforced('The options', error) : error;
  }
}
