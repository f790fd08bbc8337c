import process from 'node:process';
import { styleText } from 'node:util';
import type { Command } from 'commander';
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
import type { PolicyOptions } from './policy-options.ts';
import { standardInput, standardOutput } from './standard-files.ts';

/** The options of `enforce`. */
export interface EnforceOptions extends PolicyOptions {
  readonly pretty?: true;
  readonly diff?: true;
  readonly ndjson?: true;
}

/** Enforces the files, or standard input if there are none. */
export async function enforceFiles(
  files: readonly string[],
  options: EnforceOptions,
  command: Command,
): Promise<void> {
  await enforcingBy(options, command, (enforcing) => enforceAll(files, options, enforcing));
}

async function enforceAll(
  files: readonly string[],
  options: EnforceOptions,
  enforcing: Enforcing,
): Promise<void> {
  const inputs = inputsFrom(files, standardInput);
  const output = new Output(standardOutput);
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
