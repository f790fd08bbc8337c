/**
 * Shows what the service does: `node scripts/demo.ts`, after a build. Starts the service with the embedded PDP and
 * examples/policies/demo.yaml, sends it the payloads of examples/payloads over HTTP for two users, and prints each
 * before and after. If anything goes wrong, prints one line and exits with 1.
 */
import process from 'node:process';
import { Enforcer } from './demo/enforcement.ts';
import { DemoFailure, describeFailure } from './demo/failure.ts';
import { RequestLog } from './demo/log.ts';
import { faint, wrapped } from './demo/page.ts';
import { SCENARIOS } from './demo/scenarios.ts';
import { section } from './demo/section.ts';
import { startService } from './demo/service.ts';

const INTRODUCTION =
  "A bank's services return customers and accounts as JSON. Before an answer goes out, this service masks it for the user " +
  'who asked: Jane, an agent for North America, or Max, a manager. The policies are in examples/policies/demo.yaml, the ' +
  'payloads in examples/payloads.';
const LEGEND = '~ changed   + added   - removed   (each table shows only a part of the payload)';
const CLOSING = 'Everything that no policy names came back byte for byte. Try your own payload: make run';

function say(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

async function show(enforcer: Enforcer): Promise<void> {
  say([...wrapped(INTRODUCTION), '', ...wrapped(LEGEND).map(faint), '']);
  for (const [i, scenario] of SCENARIOS.entries()) {
    // One after the other, so that each is printed when it is ready.
    // oxlint-disable-next-line no-await-in-loop
    say(await section(scenario, `${i + 1} of ${SCENARIOS.length}`, enforcer));
  }
}

async function run(): Promise<void> {
  say(['Starting the service on a free port of 127.0.0.1.', '']);
  const log = new RequestLog();
  const service = await startService({ port: 0, logFormat: 'json', onLine: (line) => log.add(line) });
  try {
    await show(new Enforcer(service.port, log));
  } finally {
    await service.stop();
  }
  if ((await service.ended) !== 0) throw new DemoFailure('The service did not stop in order.');
  say(wrapped(CLOSING));
}

try {
  await run();
} catch (error) {
  process.stderr.write(`The demo failed. ${describeFailure(error)}\n`);
  process.exitCode = 1;
}
