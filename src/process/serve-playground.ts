import process from 'node:process';
import { loadPlaygroundParts, loadTestParts } from '../compose/index.ts';
import { loadEmbeddedPdp } from '../pdp/index.ts';
import { explainer, readPage, startPlayground } from '../places/playground/index.ts';
import { toErrno } from './errno.ts';
import { StartFailure } from './failure.ts';
import { chosenPortFailure } from './listen-failure.ts';
import type { Running } from './running.ts';

interface PlaygroundOptions {
  /** The policy file to begin with. */
  readonly policies?: string | undefined;
  readonly port: number;
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
}

/**
 * Serves the playground on the loopback address. It writes nothing, and asks nobody.
 *
 * @throws ConfigurationError if the policy file cannot be read, or StartFailure if it cannot listen
 */
export async function servePlayground({ policies: file, port, print }: PlaygroundOptions): Promise<Running> {
  const page = readPage();
  if (page === undefined)
    throw new StartFailure('The page of the playground is not built. Run `npm run build` first.');
  const { readPolicyText } = await loadEmbeddedPdp();
  const policies = file === undefined ? undefined : readPolicyText(file);
  const { openSource } = await loadPlaygroundParts();
  const { KEYS_OF_NAMES } = await loadTestParts();
  const explain = explainer({ open: openSource, keys: KEYS_OF_NAMES });
  const started = await startPlayground({ port, page, policies, explain, onFault: sayFault }).catch(
    (error: unknown) => {
      throw new StartFailure(chosenPortFailure(toErrno(error), '127.0.0.1', port));
    },
  );
  return {
    async announce() {
      try {
        print(`The playground is at http://127.0.0.1:${started.port}/. Press Ctrl-C to stop it.`);
      } catch (error) {
        // Nobody would know where it is.
        await started.close();
        throw error;
      }
    },
    async stop() {
      await started.close();
      return true;
    },
  };
}

function sayFault(error: unknown): void {
  process.stderr.write(`The playground failed. ${framesOf(error)}\n`);
}

/** The stack frames without the message, which may quote what was typed. */
function framesOf(error: unknown): string {
  if (!Error.isError(error)) return typeof error;
  return [error.name, ...(error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line))].join('\n');
}
