import type { Command } from 'commander';

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
