import type { Command } from 'commander';
import { nearest } from '../nearest.ts';

/** A long option, maybe with `=` and a value, or a short one, maybe with a value behind it. */
const UNKNOWN_OPTION = /^error: unknown option '(?<name>--[^=']+(?=[='])|-[^-])/u;

/**
 * Has the errors of the command line name an unknown option without its value, which may be a secret, and with the known
 * one that is most like it.
 */
export function showUsageErrors(program: Command): void {
  for (const command of [program, ...program.commands])
    command.configureOutput({
      outputError: (text, write) => {
        const name = UNKNOWN_OPTION.exec(text)?.groups?.['name'];
        write(name === undefined ? text : unknownOption(name, command));
      },
    });
}

function unknownOption(name: string, command: Command): string {
  const known = command.options.flatMap(({ long }) => long ?? []);
  if (known.includes(name)) return `error: option '${name}' takes no value\n`;
  const near = nearest(name, known);
  return `error: unknown option '${name}'\n${near === undefined ? '' : `(Did you mean ${near}?)\n`}`;
}
