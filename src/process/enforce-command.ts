import process from 'node:process';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { openInProcess } from '../compose/index.ts';
import { intentFrom, type Intent } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';
import {
  Output,
  OutputClosed,
  enforcePayloads,
  enforceRecords,
  inputsFrom,
  notEnforced,
  progressOn,
  vendorFrom,
  type Enforcing,
  type View,
} from '../places/command-line/index.ts';
import { createLogger, streamSink } from '../telemetry/log/index.ts';
import { configurationFrom, withPolicyOptions, type PolicyOptions } from './policy-options.ts';

interface EnforceOptions extends PolicyOptions {
  readonly pretty?: true;
  readonly diff?: true;
  readonly ndjson?: true;
}

/** How deep options may nest, in levels of objects and arrays. */
const MAX_DEPTH = 1024;

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
      await run(files, options, command);
    });
}

async function run(files: readonly string[], options: EnforceOptions, command: Command): Promise<void> {
  const configuration = await configurationFrom(options, command);
  const log = createLogger({
    level: configuration.log.level,
    format: 'text',
    sink: streamSink(process.stderr),
  });
  const enforcement = openInProcess(configuration, log);
  try {
    await enforceAll(files, options, { ...enforcement, log, intent: intentOf(options) });
  } finally {
    await enforcement.close();
    await log.close();
  }
}

function intentOf({ as, vendor, parameters }: PolicyOptions): Intent {
  try {
    return { ...intentFrom({ vendor: vendorFrom(as, vendor), parameters }, MAX_DEPTH), headers: [] };
  } catch (error) {
    throw error instanceof ServiceError ? notEnforced('The options', error) : error;
  }
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
