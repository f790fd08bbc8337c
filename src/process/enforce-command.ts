import process from 'node:process';
import { styleText } from 'node:util';
import { Command } from 'commander';
import {
  Output,
  OutputClosed,
  enforcePayloads,
  enforceRecords,
  inputsFrom,
  progressOn,
  type Enforcing,
  type View,
} from '../places/command-line/index.ts';
import { enforcingBy } from './enforcing-by.ts';
import { withPolicyOptions, type PolicyOptions } from './policy-options.ts';

interface EnforceOptions extends PolicyOptions {
  readonly pretty?: true;
  readonly diff?: true;
  readonly ndjson?: true;
}

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
      await enforcingBy(options, command, (enforcing) => enforceAll(files, options, enforcing));
    });
}

async function enforceAll(
  files: readonly string[],
  options: EnforceOptions,
  enforcing: Enforcing,
): Promise<void> {
  const inputs = inputsFrom(files, process.stdin);
  const output = new Output(process.stdout);
  try {
    if (options.ndjson) await enforceRecords(inputs, enforcing, output, progressOn(process.stderr));
    else await enforcePayloads(inputs, enforcing, viewFrom(options), output);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

const STYLES: Readonly<Record<string, 'red' | 'green' | 'cyan'>> = { '-': 'red', '+': 'green', '@': 'cyan' };

function viewFrom({ pretty, diff }: EnforceOptions): View {
  return { pretty: pretty === true, diff: diff === true, paint };
}

function paint(line: string): string {
  const style = STYLES[line[0] ?? ''];
  return style === undefined ? line : styleText(style, line, { stream: process.stdout });
}
