import type { Command } from 'commander';

/**
 * Refuses options that would have no effect: one that is given twice, of which only the last would count, and one of the
 * program before the name of a command. A policy file that is left out this way leaves its properties unmasked.
 */
export function refuseStrayOptions(program: Command): void {
  for (const command of [program, ...program.commands]) refuseRepeatedOptions(command);
  program.hook('preSubcommand', (_, command) => refuseOptionsBefore(command, program));
}

function refuseRepeatedOptions(command: Command): void {
  const given = new Set<string>();
  for (const option of command.options.filter(({ required }) => required)) {
    command.on(`option:${option.name()}`, () => {
      if (given.has(option.name()))
        command.error(`error: option '${option.flags}' is given twice; give it once`);
      given.add(option.name());
    });
  }
}

function refuseOptionsBefore(command: Command, program: Command): void {
  const stray = program.options.find(
    (option) => program.getOptionValue(option.attributeName()) !== undefined,
  );
  if (stray === undefined) return;
  const hint = `give the options of ${command.name()} after its name`;
  program.error(`error: option '${stray.flags}' has no effect before ${command.name()}; ${hint}`);
}
