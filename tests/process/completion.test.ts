import { Command } from 'commander';
import { expect, test } from '@jest/globals';
import { completionCommand } from '../../src/process/completion.ts';

/** The script for a shell that completes a small program, without its comments. */
function scriptFor(shell: string): readonly string[] {
  const printed: string[] = [];
  const program = new Command('tool')
    .option('-c, --config <file>', String.raw`file: the owner's C:\file`)
    .helpOption(false)
    .helpCommand(false);
  program.addCommand(
    new Command('pdp').description('Serves.').option('--port <n>', 'port').helpOption(false),
  );
  program.addCommand(completionCommand(program, (text) => void printed.push(text)).helpOption(false));
  program.parse(['completion', shell], { from: 'user' });
  return printed
    .join('\n')
    .split('\n')
    .filter((line) => !line.startsWith('# '));
}

/** What is said of the command `completion` itself. */
const ABOUT = 'Prints a script for completion in a shell, to be sourced from its start-up file.';

test('the script for bash has commands and options at first, and then those of the command, else files', () => {
  expect(scriptFor('bash')).toEqual([
    '_authz_jsonmasking() {',
    '  local words',
    '  case "${COMP_WORDS[1]}" in',
    "    pdp) words='--port' ;;",
    "    completion) words='bash zsh fish' ;;",
    "    *) words='pdp completion -c --config' ;;",
    '  esac',
    `  [ "$COMP_CWORD" -gt 1 ] || words='pdp completion -c --config'`,
    '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")',
    '}',
    'complete -o default -F _authz_jsonmasking tool',
  ]);
});

test('the script for zsh describes them, without what ends a description, and offers files too', () => {
  expect(scriptFor('zsh')).toEqual([
    '#compdef tool',
    '_authz_jsonmasking() {',
    '  local -a words_here',
    `  words_here=('pdp:Serves.' 'completion:${ABOUT}' '-c:file the owners Cfile' '--config:file the owners Cfile')`,
    '  if (( CURRENT > 2 )); then',
    '    case "${words[2]}" in',
    "      pdp) words_here=('--port:port') ;;",
    "      completion) words_here=('bash:' 'zsh:' 'fish:') ;;",
    '    esac',
    '  fi',
    "  _describe 'word' words_here",
    '  _files',
    '}',
    'compdef _authz_jsonmasking tool',
  ]);
});

/** The line for fish about a word that may follow a command, up to its description. */
function behind(command: string, word: string): string {
  return `complete -c tool -n '__fish_seen_subcommand_from ${command}' -a '${word}' -d`;
}

test('the script for fish has those of the program before a command, and those of a command behind it', () => {
  const first = "complete -c tool -n '__fish_use_subcommand' -a";
  expect(scriptFor('fish')).toEqual([
    `${first} 'pdp' -d 'Serves.'`,
    `${first} 'completion' -d '${ABOUT}'`,
    `${first} '-c' -d 'file the owners Cfile'`,
    `${first} '--config' -d 'file the owners Cfile'`,
    `${behind('pdp', '--port')} 'port'`,
    `${behind('completion', 'bash')} ''`,
    `${behind('completion', 'zsh')} ''`,
    `${behind('completion', 'fish')} ''`,
  ]);
});
