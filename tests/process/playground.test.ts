import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, portOf, stopLater } from '../pdp/transport/setup.ts';
import { fileWith } from '../support/folder.ts';
import { PROGRAM } from '../support/program.ts';

afterEach(closeAll);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly child: ChildProcess;
  /** The address that it printed; undefined if it ended before. */
  readonly address: Promise<string | undefined>;
  readonly ended: Promise<Ended>;
}

/** Starts the playground as it was built. */
function playground(...args: readonly string[]): Started {
  const child = spawn(process.execPath, [PROGRAM, 'playground', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  const address = new Promise<string | undefined>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const [found] = /http:\/\/\S+\//u.exec(stdout) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.stdout.once('close', () => resolve(undefined));
  });
  const ended = Promise.all([text(child.stderr), once(child, 'close')]).then(([stderr]) => ({
    code: child.exitCode,
    stdout,
    stderr,
  }));
  stopLater(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, address, ended };
}

const POLICIES = 'policies:\n  - { name: Mask names, properties: [name], action: MASK }\n';

/** What a new playground answers about a payload with a name. */
async function explained(policies: string, vendor: Readonly<Record<string, string>>): Promise<string> {
  const url = (await playground('--port', '0').address) ?? '';
  const answer = await fetch(`${url}explain`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      parameters: {},
      vendor,
      claims: '',
      source: { kind: 'policies', text: policies },
      settings: {},
      payload: '[{ "name": "Ann", "debt": 1.50 }]',
    }),
  });
  return answer.text();
}

describe('the command playground', () => {
  test('serves the page with a policy file until it is stopped', async () => {
    const { child, address, ended } = playground('--port', '0', '-p', 'examples/policies/demo.yaml');
    const url = (await address) ?? '';
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/u);
    await expect(fetch(url).then((answer) => answer.text())).resolves.toContain('JSON masking playground');
    const start = await fetch(`${url}start.json`).then((answer) => answer.json());
    expect(start).toMatchObject({ policies: expect.stringContaining('Credit limits are for managers') });
    child.kill('SIGINT');
    await expect(ended).resolves.toMatchObject({ code: 0, stderr: '' });
  });

  test('explains with the engine of the service', async () => {
    const body = await explained(POLICIES, {});
    expect(body).toContain('{"explanation":{"payload":[{ "name": "***", "debt": 1.50 }],');
    expect(JSON.parse(body)).toMatchObject({
      explanation: { changes: [{ pointer: '/0/name', effect: 'masked', rule: 0 }] },
    });
  });

  test('enters a scope whose key set is in a file, without opening it', async () => {
    const scope = 'scopes:\n  - { clientId: app, jwt: { jwks: nothing.json, issuer: i, audience: a } }\n';
    await expect(explained(scope + POLICIES, { clientId: 'app' })).resolves.toContain(
      '{"explanation":{"payload":[{ "name": "***", "debt": 1.50 }],',
    );
  });

  test('says which policy file cannot be read', async () => {
    const { ended } = playground('--port', '0', '-p', 'nothing.yaml');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^nothing\.yaml cannot be read/u),
    });
  });

  test('begins with a policy file that is wrong, to have it repaired', async () => {
    const file = await fileWith('policies: wrong\n');
    const url = (await playground('--port', '0', '-p', file).address) ?? '';
    const start = await fetch(`${url}start.json`).then((answer) => answer.json());
    expect(start).toMatchObject({ policies: 'policies: wrong\n' });
  });

  test('says if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    stopLater(async () => void other.close());
    const { code, stderr } = await playground('--port', String(portOf(other))).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('the port is in use (EADDRINUSE). Choose another one with --port.'),
    });
  });
});
