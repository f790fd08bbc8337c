import type { Command } from 'commander';
import { explainPayload, inputsFrom, Output, OutputClosed } from '../places/command-line/index.ts';
import { enforcingBy } from './enforcing-by.ts';
import type { PolicyOptions } from './policy-options.ts';
import { standardInput, standardOutput } from './standard-files.ts';

/** Explains the file, or standard input if none is named, as a whole or at one place. */
export async function explainFile(
  file: string | undefined,
  pointer: string | undefined,
  options: PolicyOptions,
  command: Command,
): Promise<void> {
  await enforcingBy(options, command, async (enforcing, { maxExplained }) => {
    const [input] = inputsFrom(file === undefined ? [] : [file], standardInput);
    if (input) await explainTo({ ...enforcing, maxExplained, pointer }, input);
  });
}

async function explainTo(
  explaining: Parameters<typeof explainPayload>[1],
  input: Parameters<typeof explainPayload>[0],
): Promise<void> {
  try {
    await explainPayload(input, explaining, new Output(standardOutput));
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}
