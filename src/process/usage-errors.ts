import type { Command } from 'commander';
import { nearest } from '../nearest.ts';
import { StartFailure } from './failure.ts';

/** A long option, maybe with `=` and a value, or a short one, maybe with a value behind it. */
const UNKNOWN_OPTION = /^error: unknown option '(?<name>--[^=']+(?=[='])|-[^-])/u;

/**
 * Has the errors of the command line name an unknown option without its value, which may be a secret, and with the known
 * one that is most like it. They are thrown as a StartFailure, so that they are printed as every other failure is.
 */
export function showUsageErrors(program: Command): void {
  for (const command of [program, ...program.commands])
    command.configureOutput({
      outputError: (text) => {
        const name = UNKNOWN_OPTION.exec(text)?.groups?.['name'];
        throw new StartFailure(name === undefined ? text.trimEnd() : unknownOption(name, command));
      },
    });
}

function unknownOption(name: string, command: Command): string {
  const known = command.options.flatMap(({ long }) => long ?? []);
  if (known.includes(name)) return `error: option '${name}' takes no value`;
  const near = nearest(name, known);
  return `error: unknown option '${name}'${near === undefined ? '' : `\n(Did you mean ${near}?)`}`;
}
