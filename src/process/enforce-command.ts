import { Command } from 'commander';
import type { EnforceOptions } from './enforce.ts';
import { withPolicyOptions } from './policy-options.ts';

/** `enforce`: enforces payloads from files or from standard input. */
export function enforceCommand(): Command {
  const command = new Command('enforce')
    .description('Enforces policies on JSON from files or standard input, and prints what is left of it.')
    .argument('[files...]', 'files to read; - is standard input, which is read if no file is named');
  return withPolicyOptions(command)
    .option('--pretty', 'print one member or element a line')
    .option('--diff', 'print what changes; with --pretty, together with everything else')
    .option('--ndjson', 'enforce each line as a payload, as it is read')
    .action(async (files: readonly string[], options: EnforceOptions) => {
      if (options.ndjson && (options.pretty || options.diff))
        command.error("error: --ndjson prints one payload a line, and can't be used with --pretty or --diff");
      const { enforceFiles } = await import('./enforce.ts');
      await enforceFiles(files, options, command);
    });
}
