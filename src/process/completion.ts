import { Argument, Command } from 'commander';

/** A word that can follow the program's name, or the name of one of its commands. */
interface Word {
  readonly text: string;
  readonly description: string;
}

const GENERATORS = { bash, zsh, fish } as const;
type Shell = keyof typeof GENERATORS;
const SHELLS = Object.keys(GENERATORS);

/**
 * `completion <shell>`: prints a script that completes commands, options and files.
 *
 * @param program the command line to complete
 */
export function completionCommand(program: Command, print: (text: string) => void): Command {
  return new Command('completion')
    .description('Prints a script for completion in a shell, to be sourced from its start-up file.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => print(GENERATORS[shell](program).join('\n')));
}

function commandsOf(program: Command): readonly Word[] {
  const help = program.createHelp();
  return help
    .visibleCommands(program)
    .map((command) => ({ text: command.name(), description: help.subcommandDescription(command) }));
}

/** The options, and the values of an argument that has a choice of them. */
function wordsOf(command: Command): readonly Word[] {
  const options = command.createHelp().visibleOptions(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [
    ...choices.map((text) => ({ text, description: '' })),
    ...options.flatMap(({ short, long, description }) =>
      [short, long].flatMap((text) => (text === undefined ? [] : [{ text, description }])),
    ),
  ];
}

function textsOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** The words after each command, with the commands themselves after the program's own name. */
function branches(program: Command): readonly { readonly name: string; readonly words: readonly Word[] }[] {
  return program.commands.map((command) => ({ name: command.name(), words: wordsOf(command) }));
}

function bash(program: Command): readonly string[] {
  const name = program.name();
  const own = textsOf([...commandsOf(program), ...wordsOf(program)]);
  return [
    `# Completion for bash: source <(${name} completion bash)`,
    '_authz_jsonmasking() {',
    '  local words',
    '  case "${COMP_WORDS[1]}" in',
    ...branches(program).map(({ name: command, words }) => `    ${command}) words='${textsOf(words)}' ;;`),
    `    *) words='${own}' ;;`,
    '  esac',
    `  [ "$COMP_CWORD" -gt 1 ] || words='${own}'`,
    '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")',
    '}',
    `complete -o default -F _authz_jsonmasking ${name}`,
  ];
}

function zsh(program: Command): readonly string[] {
  const name = program.name();
  return [
    `#compdef ${name}`,
    `# Completion for zsh: source <(${name} completion zsh)`,
    '_authz_jsonmasking() {',
    '  local -a words_here',
    `  words_here=(${described([...commandsOf(program), ...wordsOf(program)])})`,
    '  if (( CURRENT > 2 )); then',
    '    case "${words[2]}" in',
    ...branches(program).map(
      ({ name: command, words }) => `      ${command}) words_here=(${described(words)}) ;;`,
    ),
    '    esac',
    '  fi',
    "  _describe 'word' words_here",
    '  _files',
    '}',
    `compdef _authz_jsonmasking ${name}`,
  ];
}

function described(words: readonly Word[]): string {
  return words.map(zshWord).join(' ');
}

function zshWord({ text, description }: Word): string {
  return `'${text}:${quotable(description)}'`;
}

function fish(program: Command): readonly string[] {
  const line = (condition: string, { text, description }: Word): string =>
    `complete -c ${program.name()} -n '${condition}' -a '${text}' -d '${quotable(description)}'`;
  return [
    `# Completion for fish: ${program.name()} completion fish | source`,
    ...[...commandsOf(program), ...wordsOf(program)].map((word) => line('__fish_use_subcommand', word)),
    ...branches(program).flatMap(({ name, words }) =>
      words.map((word) => line(`__fish_seen_subcommand_from ${name}`, word)),
    ),
  ];
}

/** A description without what would end or change a word in quotes. */
function quotable(description: string): string {
  return description.replaceAll(/['\\:]/gu, '');
}
