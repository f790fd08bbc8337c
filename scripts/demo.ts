/**
 * Shows what the service does: `node scripts/demo.ts`, once it is built. Starts the service with the embedded PDP on
 * examples/policies/demo.yaml, puts the payloads of examples/payloads to it over HTTP for two users, and prints each
 * before and after. Exits with 1 and one clear line where anything is wrong.
 */
import process from 'node:process';
import { Enforcer } from './demo/enforcement.ts';
import { DemoFailure, describeFailure } from './demo/failure.ts';
import { RequestLog } from './demo/log.ts';
import { aside } from './demo/page.ts';
import { SCENARIOS } from './demo/scenarios.ts';
import { section } from './demo/section.ts';
import { startService } from './demo/service.ts';

const INTRODUCTION = [
  'A bank keeps customers and accounts. Its services answer with everything; before an answer goes out,',
  'this service masks it for whoever asked: Jane, an agent in North America, or Max, a manager.',
  'The policies are in examples/policies/demo.yaml, the payloads in examples/payloads.',
  '',
];
const LEGEND = [
  '~ changed   + inserted   - removed. Each table shows the part of the payload that matters there.',
  '',
];
const CLOSING = 'Everything else came back byte for byte. Try your own payload: make run';

function say(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

async function show(enforcer: Enforcer): Promise<void> {
  say([...INTRODUCTION, ...LEGEND.map(aside)]);
  for (const [i, scenario] of SCENARIOS.entries()) {
    // One after the other: each is printed when it is there.
    // oxlint-disable-next-line no-await-in-loop
    say(await section(scenario, `${i + 1} of ${SCENARIOS.length}`, enforcer));
  }
}

async function run(): Promise<void> {
  const log = new RequestLog();
  const service = await startService({ port: 0, logFormat: 'json', onLine: (line) => log.add(line) });
  try {
    await show(new Enforcer(service.port, log));
  } finally {
    await service.stop();
  }
  if ((await service.ended) !== 0) throw new DemoFailure('The service did not stop in order.');
  say([CLOSING]);
}

try {
  await run();
} catch (error) {
  process.stderr.write(`The demo failed. ${describeFailure(error)}\n`);
  process.exitCode = 1;
}
