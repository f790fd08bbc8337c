/**
 * Leaves the service listening on 127.0.0.1:5002 with the sample configuration: `node scripts/run.ts`, once it is built.
 * `PORT` chooses another port. Prints a curl to try, then the service's log. Ctrl-C stops it.
 */
import process from 'node:process';
import { sampleCurl } from './demo/curl.ts';
import { DemoFailure, describeFailure } from './demo/failure.ts';
import { startService } from './demo/service.ts';

const DEFAULT_PORT = '5002';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function chosenPort(): number {
  const text = process.env['PORT'] ?? DEFAULT_PORT;
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) throw new DemoFailure('PORT has to be a number up to 65535.');
  return port;
}

function invitation(port: number): string {
  return [
    `The service listens on http://127.0.0.1:${port} and uses the policies in`,
    'examples/policies/demo.yaml. Press Ctrl-C to stop it. Ask it from another terminal',
    'what Jane, an agent, may see:',
    '',
    sampleCurl(port),
    '',
    'Replace "Agent" by "Manager" to see what Max, a manager, gets. The log follows.',
    '',
  ].join('\n');
}

async function run(): Promise<void> {
  const service = await startService({ port: chosenPort(), logFormat: 'text', onLine: say });
  say(invitation(service.port));
  process.exitCode = (await service.ended) ?? 1;
}

try {
  await run();
} catch (error) {
  const reason = describeFailure(error);
  const remedy = reason.includes('EADDRINUSE') ? ' Choose another one: make run PORT=6000' : '';
  process.stderr.write(`${reason}${remedy}\n`);
  process.exitCode = 1;
}
