import type { Command } from 'commander';
import { configurationFor } from '../compose/index.ts';
import { loadConfiguration, type Configuration } from '../config/index.ts';

/** The options of commands that enforce. */
export interface PolicyOptions {
  readonly config?: string;
  readonly policies?: string;
  readonly as?: string;
  readonly vendor?: string;
  readonly parameters?: string;
}

/** Adds what every command that enforces needs: the policies, the user and the settings. */
export function withPolicyOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file (YAML)')
    .option('-p, --policies <file>', 'policy file (YAML), instead of a configuration')
    .option('--as <user>', 'entity type and id of the user, such as Agent/jane')
    .option('--vendor <json>', 'what the PDP is asked, such as \'{"entityId":"jane"}\'')
    .option('--parameters <json>', 'settings of the payload, such as \'{"root":"data"}\'');
}

/**
 * The configuration that a command line names.
 *
 * @throws ConfigurationError with everything that is wrong with it, or with the policy file
 */
export async function configurationFrom(
  { config, policies }: PolicyOptions,
  command: Command,
): Promise<Configuration> {
  if (config !== undefined && policies !== undefined)
    command.error('error: -c and -p both say which policies hold; keep one of them');
  if (config !== undefined) return loadConfiguration(config);
  if (policies !== undefined) return configurationFor(policies);
  return command.error("error: no policies; give '-p POLICIES', or '-c FILE' for a configuration");
}
