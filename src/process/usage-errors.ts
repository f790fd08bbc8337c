import type { Command } from 'commander';
import { nearest } from '../nearest.ts';
import { StartFailure } from './failure.ts';

/** A long option, maybe with `=` and a value, or a short one, maybe with a value behind it. */
const UNKNOWN_OPTION = /^error: unknown option '(?<name>--[^=']+(?=[='])|-[^-])/u;

/** How other commands name a policy file. */
const OF_POLICIES: ReadonlySet<string> = new Set(['-p', '--policies']);

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
  return [`error: unknown option '${name}'`, ...hintFor(name, command, known)].join('\n');
}

function hintFor(name: string, command: Command, known: readonly string[]): readonly string[] {
  const takesPolicies = command.registeredArguments.some((argument) => argument.name() === 'policies');
  if (takesPolicies && OF_POLICIES.has(name))
    return [`(The policy file comes without an option: ${command.name()} policies.yaml)`];
  const near = nearest(name, known);
  return near === undefined ? [] : [`(Did you mean ${near}?)`];
}
