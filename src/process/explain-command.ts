import process from 'node:process';
import { Command } from 'commander';
import { explainPayload, inputsFrom, Output, OutputClosed } from '../places/command-line/index.ts';
import { enforcingBy } from './enforcing-by.ts';
import { withPolicyOptions, type PolicyOptions } from './policy-options.ts';

/** `explain`: says why each place of a payload becomes what it is. */
export function explainCommand(): Command {
  const command = new Command('explain')
    .description('Says which policy changes each place of a JSON payload, and why others do not.')
    .argument('[file]', 'file to read; - is standard input, which is read if no file is named')
    .argument('[pointer]', 'JSON pointer of the place that is asked about, such as /0/customer/ssn');
  return withPolicyOptions(command).action(
    async (file: string | undefined, pointer: string | undefined, options: PolicyOptions) => {
      await enforcingBy(options, command, async (enforcing, { maxExplained }) => {
        const [input] = inputsFrom(file === undefined ? [] : [file], process.stdin);
        if (input) await explainTo({ ...enforcing, maxExplained, pointer }, input);
      });
    },
  );
}

async function explainTo(
  explaining: Parameters<typeof explainPayload>[1],
  input: Parameters<typeof explainPayload>[0],
): Promise<void> {
  try {
    await explainPayload(input, explaining, new Output(process.stdout));
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}
