import { Command } from 'commander';
import { withPolicyOptions, type PolicyOptions } from './policy-options.ts';

/** `explain`: says why each place of a payload becomes what it is. */
export function explainCommand(): Command {
  const command = new Command('explain')
    .description('Says which policy changes each place of a JSON payload, and why others do not.')
    .argument('[file]', 'file to read; - is standard input, which is read if no file is named')
    .argument('[pointer]', 'JSON pointer of the place that is asked about, such as /0/customer/ssn');
  return withPolicyOptions(command).action(
    async (file: string | undefined, pointer: string | undefined, options: PolicyOptions) => {
      const { explainFile } = await import('./explain.ts');
      await explainFile(file, pointer, options, command);
    },
  );
}
