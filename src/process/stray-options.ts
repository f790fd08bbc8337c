import type { Command } from 'commander';

/**
 * Refuses options that would have no effect: one that is given twice, of which only the last would count, and one of the
 * program before the name of a command. A policy file that is left out this way leaves its properties unmasked. Refuses empty
 * options and arguments, too: mostly, a variable of the shell is not set.
 */
export function refuseStrayOptions(program: Command): void {
  for (const command of [program, ...program.commands]) refuseOddOptions(command);
  program.hook('preSubcommand', (_, command) => refuseOptionsBefore(command, program));
  program.hook('preAction', (_, command) => refuseEmptyArguments(command));
}

function refuseOddOptions(command: Command): void {
  const given = new Set<string>();
  for (const option of command.options.filter(({ required }) => required)) {
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (value === '')
        command.error(`error: option '${option.flags}' is empty; leave it out, or give it a value`);
      if (given.has(option.name()))
        command.error(`error: option '${option.flags}' is given twice; give it once`);
      given.add(option.name());
    });
  }
}

function refuseEmptyArguments(command: Command): void {
  const last = command.registeredArguments.at(-1);
  for (const [i, value] of command.args.entries()) {
    const argument = command.registeredArguments[i] ?? last;
    // The empty pointer is that of the whole payload.
    if (value === '' && argument !== undefined && argument.name() !== 'pointer')
      command.error(`error: argument '${argument.name()}' is empty; leave it out, or give it a value`);
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
