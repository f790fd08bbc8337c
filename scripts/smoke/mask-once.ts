import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const START_TIMEOUT = 60_000;

const POLICIES = `policies:
  - name: Social security numbers are confidential
    properties: [ssn]
    action: last(4)
`;

const REQUEST = { parameters: {}, vendor: { entityId: 'jane' }, json: { name: 'Ann', ssn: '123456789' } };
const EXPECTED = '{"name":"Ann","ssn":"*****6789"}';

/**
 * Starts the service that is installed in a folder, has a payload masked, and stops it.
 *
 * @param node the Node.js that runs it
 * @param work a folder for its configuration
 * @returns the answer
 * @throws Error if it does not start, answers with anything else, or does not stop with 0
 */
export async function maskOnce(node: string, installed: string, work: string): Promise<string> {
  const [config, ready] = [path.join(work, 'config.yaml'), path.join(work, 'ready')];
  writeFileSync(path.join(work, 'policies.yaml'), POLICIES);
  writeFileSync(config, 'port: 0\nhost: 127.0.0.1\ndrainDelay: 0\npolicyFile: policies.yaml\n');
  const program = path.join(installed, 'dist/main.js');
  const service = spawn(node, [program, '-c', config, '--ready-file', ready], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const answer = await enforce(await addressOf(service, ready));
    await stop(service);
    return answer;
  } finally {
    service.kill('SIGKILL');
  }
}

async function addressOf(service: ChildProcess, ready: string): Promise<string> {
  const end = Date.now() + START_TIMEOUT;
  while (Date.now() < end && service.exitCode === null) {
    const address = existsSync(ready) ? readFileSync(ready, 'utf8').trim() : '';
    if (address !== '') return address;
    // oxlint-disable-next-line no-await-in-loop -- one look after another
    await wait(50);
  }
  throw new Error('The service did not start.');
}

async function enforce(address: string): Promise<string> {
  const response = await fetch(`${address}/enforce`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(REQUEST),
  });
  const answer = await response.text();
  if (answer !== EXPECTED) throw new Error(`The service answered ${response.status} ${answer}`);
  return answer;
}

async function stop(service: ChildProcess): Promise<void> {
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  const [code]: unknown[] = await ended;
  if (code !== 0) throw new Error(`The service stopped with ${String(code)}.`);
}
