import { Command, InvalidArgumentError } from 'commander';
import { VERSION } from '../version.ts';
import type { Running } from './running.ts';
import { check, serve } from './serve.ts';
import { servePdp } from './serve-pdp.ts';

/** What the process does with what a command yields. */
export interface Process {
  /** Prints a line on standard output. */
  print(line: string): void;
  /** Keeps running until a signal comes. */
  run(running: Running): void;
}

interface ServeOptions {
  readonly config?: string;
  readonly check?: true;
  readonly logFile?: string;
  readonly readyFile?: string;
}

interface ServePdpOptions {
  readonly policies: string;
  readonly port: number;
  readonly host?: string;
  readonly drainDelay: number;
}

/** The command line: `authz-jsonmasking -c FILE` and `authz-jsonmasking pdp -p POLICIES --port N`. */
export function createProgram(process: Process): Command {
  const program = new Command('authz-jsonmasking')
    .description('Masks, sets and removes what a user may not see in a JSON payload, as a PDP decides.')
    .version(VERSION)
    .option('-c, --config <file>', 'configuration file (YAML)')
    .option('--check', 'verify the configuration and exit')
    .option('--log-file <file>', 'log to a file, and reopen it on SIGHUP (default: standard output)')
    .option('--ready-file <file>', 'file to write the address to, once the service listens')
    .action(async (options: ServeOptions) => {
      const { config, logFile, readyFile } = options;
      if (config === undefined) program.error("error: no configuration file; start with '-c FILE'");
      else if (options.check) process.print(await check(config));
      else await run(await serve(config, { logFile, readyFile }), process);
    });
  program.addCommand(pdpCommand(process));
  return program;
}

function pdpCommand(process: Process): Command {
  return new Command('pdp')
    .description('Serves the embedded PDP over HTTP, to try the service against.')
    .requiredOption('-p, --policies <file>', 'policy file (YAML)')
    .requiredOption('--port <number>', 'port to listen on; 0 for any free one', portFrom)
    .option('--host <address>', 'address to listen on (default: all)')
    .option('--drain-delay <ms>', 'how long to serve on after SIGTERM, in milliseconds', delayFrom, 0)
    .action(async ({ policies, port, host, drainDelay }: ServePdpOptions) => {
      await run(await servePdp({ policies, port, host, drainDelay }), process);
    });
}

async function run(running: Running, process: Process): Promise<void> {
  process.run(running);
  await running.announce();
}

function delayFrom(text: string): number {
  const delay = Number(text);
  if (!/^\d+$/u.test(text) || delay > 3_600_000)
    throw new InvalidArgumentError('It has to be a number up to 3600000.');
  return delay;
}

function portFrom(text: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535)
    throw new InvalidArgumentError('It has to be a number up to 65535.');
  return port;
}
