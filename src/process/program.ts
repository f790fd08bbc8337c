import { Command } from 'commander';
import { nearest } from '../nearest.ts';
import { VERSION } from '../version.ts';
import { completionCommand } from './completion.ts';
import { enforceCommand } from './enforce-command.ts';
import { explainCommand } from './explain-command.ts';
import { sha256, wholeNumberUpTo } from './option-values.ts';
import { refuseStrayOptions } from './stray-options.ts';
import { testCommand } from './test-command.ts';
import type { Running } from './running.ts';
import { showUsageErrors } from './usage-errors.ts';

/** What the process does with what a command yields. */
export interface Process {
  /** Prints a line on standard output. */
  print(line: string): void;
  /** Says that what is being started logs to a file. */
  logToFile(): void;
  /** Keeps running until a signal comes. */
  run(running: Running): void;
}

interface ServeOptions {
  readonly config?: string;
  readonly configSha256?: string;
  readonly check?: true;
  readonly logFile?: string;
  readonly readyFile?: string;
}

interface ServePdpOptions {
  readonly policies: string;
  readonly check?: true;
  readonly port: number;
  readonly host?: string;
  readonly drainDelay: number;
}

interface PlaygroundOptions {
  readonly policies?: string;
  readonly port: number;
}

/** The port of `pdp` if none is given; the examples of the documentation use it. */
const PDP_PORT = 8181;
/** The port of `playground` if none is given. */
const PLAYGROUND_PORT = 4600;
const MAX_PORT = 65_535;
const MAX_DELAY = 3_600_000;

/**
 * The command line: `authz-jsonmasking -c FILE`, `authz-jsonmasking pdp -p POLICIES` and what helps to use them. It loads
 * what a command needs when that command runs.
 */
export function createProgram(process: Process): Command {
  const program = new Command('authz-jsonmasking')
    .description('Masks, sets and removes what a user may not see in a JSON payload, as a PDP decides.')
    .version(VERSION)
    .option('-c, --config <file>', 'configuration file (YAML)')
    .option('--config-sha256 <hash>', 'refuse another configuration file than the one with this hash', sha256)
    .option('--check', 'verify the configuration and exit')
    .option('--log-file <file>', 'log to a file, and reopen it on SIGHUP (default: standard output)')
    .option('--ready-file <file>', 'file to write the address to, once the service listens')
    // Without it, `--check` after `pdp` would be the option of the service.
    .enablePositionalOptions()
    .helpCommand(false)
    .allowExcessArguments()
    // So that a misspelt command is named, and not the first of its options.
    .allowUnknownOption()
    .action(async (options: ServeOptions, { args: [word] }: Command) => {
      if (word?.startsWith('-')) program.error(`error: unknown option '${word}'`);
      if (word !== undefined) refuseCommand(word, program);
      const { config, configSha256, logFile, readyFile } = options;
      if (config === undefined) program.error("error: no configuration file; start with '-c FILE'");
      else if (options.check) {
        const { check } = await import('./check.ts');
        process.print(await check(config, configSha256));
      } else {
        if (logFile !== undefined) process.logToFile();
        const { serve } = await import('./serve.ts');
        await run(await serve(config, { configSha256, logFile, readyFile }), process);
      }
    });
  program.addCommand(pdpCommand(process));
  program.addCommand(playgroundCommand(process));
  program.addCommand(enforceCommand());
  program.addCommand(explainCommand());
  program.addCommand(testCommand((line) => process.print(line)));
  program.addCommand(completionCommand(program, (text) => process.print(text)));
  program
    .command('version')
    .description('show the version')
    .allowExcessArguments(false)
    .action(() => process.print(VERSION));
  program
    .command('help [command]')
    .description('show how to use a command')
    .allowExcessArguments(false)
    .action((name?: string) => (name === undefined ? program : commandNamed(name, program)).help());
  for (const command of [program, ...program.commands])
    command.configureOutput({ writeOut: (text) => process.print(text.trimEnd()) });
  refuseStrayOptions(program);
  showUsageErrors(program);
  return program;
}

function pdpCommand(process: Process): Command {
  return new Command('pdp')
    .description('Serves the embedded PDP over HTTP, to try the service against.')
    .requiredOption('-p, --policies <file>', 'policy file (YAML)')
    .option('--check', 'verify the policy file and exit')
    .option('--port <number>', 'port to listen on; 0 for any free one', wholeNumberUpTo(MAX_PORT), PDP_PORT)
    .option('--host <address>', 'address to listen on (default: all)')
    .option(
      '--drain-delay <ms>',
      'how long to serve on after SIGTERM, in milliseconds',
      wholeNumberUpTo(MAX_DELAY),
      0,
    )
    .action(async ({ policies, port, host, drainDelay, ...options }: ServePdpOptions) => {
      if (options.check) {
        const { checkPolicies } = await import('./check-policies.ts');
        process.print(await checkPolicies(policies));
      } else {
        const { servePdp } = await import('./serve-pdp.ts');
        await run(await servePdp({ policies, port, host, drainDelay }), process);
      }
    });
}

function playgroundCommand(process: Process): Command {
  return new Command('playground')
    .description('Serves a page on this machine alone, to try policies on payloads.')
    .option('-p, --policies <file>', 'policy file (YAML) to begin with; it is only read')
    .option(
      '--port <number>',
      'port of 127.0.0.1 to listen on; 0 for any free one',
      wholeNumberUpTo(MAX_PORT),
      PLAYGROUND_PORT,
    )
    .action(async (options: PlaygroundOptions) => {
      const { servePlayground } = await import('./serve-playground.ts');
      await run(await servePlayground({ ...options, print: (line) => process.print(line) }), process);
    });
}

async function run(running: Running, process: Process): Promise<void> {
  process.run(running);
  await running.announce();
}

function commandNamed(name: string, program: Command): Command {
  return program.commands.find((command) => command.name() === name) ?? refuseCommand(name, program);
}

/** An operand of the program itself is a command that it does not have. */
function refuseCommand(word: string, program: Command): never {
  const names = program.commands.map((command) => command.name());
  const near = nearest(word, names);
  const suggestion = near === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${near}?`;
  return program.error(`error: unknown command '${word}'; ${suggestion}`);
}
