import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Agent, request, type IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, freePort, portOf, startStub, stopLater } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision, maskRule } from '../support/decision.ts';
import { eventually } from '../support/eventually.ts';
import { startHeldPdp } from '../support/held-pdp.ts';
import { fileWith, folderWith } from '../support/folder.ts';
import { run, serving, starting } from '../support/process.ts';
import { NO_RULES } from '../support/service.ts';
import { connected } from '../support/wire.ts';

afterEach(closeAll);

/** What a machine without IPv6 cannot listen on. */
const OVER_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1')
  ? [['host: "::1"', 'http://[::1]']]
  : [];

/** A port of loopback that somebody listens on already. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(() => new Promise((resolve) => void server.close(() => resolve())));
  return portOf(server);
}

/** The service as a process of its own, asking a PDP on loopback. */
async function servingWith(pdp: { readonly port: number }) {
  const lines = [
    'port: 0',
    'host: 127.0.0.1',
    `pdpUrl: 127.0.0.1:${pdp.port}`,
    'pdpTimeout: 60000',
    'drainDelay: 0',
  ];
  const service = await serving('-c', await fileWith(lines.join('\n')));
  // What it does on a signal is settled once it answers.
  await call(service.port, { method: 'GET', path: '/health/liveness' });
  return service;
}

function messagesIn(log: string): readonly string[] {
  const entries = log
    .trimEnd()
    .split('\n')
    .map((line): { message: string } => JSON.parse(line));
  return entries.map(({ message }) => message);
}

describe('the process that serves', () => {
  test('enforces, and logs one JSON object a line to standard output', async () => {
    const pdp = await startStub(NO_RULES);
    const service = await servingWith(pdp);
    expect((await call(service.port, { body: enforcing('[{"a":1}]') })).text).toBe('[{"a":1}]');
    expect(pdp.requests).toHaveLength(1);
    await eventually(() => messagesIn(service.logged()).includes('Request'));
    expect(messagesIn(service.logged())).toEqual(['Listening', 'Request']);
  });

  test('outlives requests that are wrong', async () => {
    const pdp = await startStub(NO_RULES);
    const service = await servingWith(pdp);
    pdp.answer({
      body: '{"response":[{"access":[{"path":"a","resourceType":"columns","actions":"none"}]}]}',
    });
    const wrong = ['{', '[]', enforcing('1'), enforcing('['.repeat(9999)), enforcing('[{}]')];
    const statuses = await Promise.all(
      wrong.map(async (body) => (await call(service.port, { body })).status),
    );
    expect(statuses).toEqual([400, 400, 400, expect.any(Number), 502]);
    expect((await call(service.port, { method: 'GET', path: '/health/liveness' })).status).toBe(200);
  });
});

test('a PDP that cannot be reached at start is one line, and nothing else', async () => {
  const pdpPort = await freePort();
  const lines = ['port: 0', 'host: 127.0.0.1', `pdpUrl: 127.0.0.1:${pdpPort}`, 'drainDelay: 0'];
  const service = await serving('-c', await fileWith(lines.join('\n')));
  await eventually(() => service.logged().includes('PDP unreachable'));
  service.signal('SIGTERM');
  const { code, stdout } = await service.ended;
  expect(code).toBe(0);
  const warning = 'PDP unreachable: requests fail with 502';
  expect(messagesIn(stdout)).toEqual(['Listening', warning, 'Stopping', 'Stopped']);
  expect(stdout).toContain(`"level":"warn","message":"${warning}"`);
  expect(stdout).toContain(`connection refused by 127.0.0.1:${pdpPort}`);
});

test('that a PDP cannot be reached at start is said once, however many processes serve', async () => {
  const lines = ['port: 0', 'host: 127.0.0.1', 'pdpUrl: 127.0.0.1:1', 'drainDelay: 0', 'workers: 2'];
  const service = await serving('-c', await fileWith(lines.join('\n')));
  await eventually(() => service.logged().includes('PDP unreachable'));
  service.signal('SIGTERM');
  const { code, stdout } = await service.ended;
  const said = messagesIn(stdout).filter((message) => message.startsWith('PDP unreachable'));
  expect({ code, said }).toEqual({ code: 0, said: ['PDP unreachable: requests fail with 502'] });
});

describe('a port that cannot be had ends the process with one line', () => {
  test('if the service is to listen on it', async () => {
    const port = await takenPort();
    const file = await fileWith(`port: ${port}\nhost: 127.0.0.1\npdpUrl: 127.0.0.1:1\n`);
    expect(await run('-c', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot listen on 127.0.0.1:${port}: the port is in use (EADDRINUSE).\n`,
    });
  });

  test('if the PDP is to listen on it', async () => {
    const port = await takenPort();
    const file = await fileWith('policies: [{ name: P, properties: [a], action: MASK }]\n');
    expect(await run('pdp', '-p', file, '--port', String(port), '--host', '127.0.0.1')).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot listen on 127.0.0.1:${port}: the port is in use (EADDRINUSE). Choose another one with --port.\n`,
    });
  });

  test.each([
    ['the service', 'port: TAKEN'],
    ['the proxy', 'port: 0\nproxy: { host: 127.0.0.1, port: TAKEN, upstream: "http://127.0.0.1:1" }'],
    ['the external processor', 'port: 0\nextProc: { host: 127.0.0.1, port: TAKEN }'],
  ])('if %s is to listen on it, and others listen already', async (_, lines) => {
    const port = await takenPort();
    const metrics = `metrics: { host: 127.0.0.1, port: ${await freePort()} }`;
    const written = `host: 127.0.0.1\npdpUrl: 127.0.0.1:1\n${metrics}\n${lines}\n`;
    const { code, stderr } = await starting('-c', await fileWith(written.replace('TAKEN', String(port))))
      .ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Cannot listen on 127.0.0.1:${port}: the port is in use (EADDRINUSE).\n`,
    });
  });

  test('if the address belongs to another machine', async () => {
    const file = await fileWith('port: 0\nhost: 192.0.2.1\npdpUrl: 127.0.0.1:1\n');
    expect(await run('-c', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Cannot listen on 192.0.2.1:0: this machine does not have that address (EADDRNOTAVAIL).\n',
    });
  });
});

test('a ready file that cannot be written ends the process at once, whatever the drainDelay', async () => {
  const file = await fileWith(
    'port: 0\nhost: 127.0.0.1\npdpUrl: 127.0.0.1:1\ndrainDelay: 600000\ndrainTimeout: 700000\n',
  );
  const { code, stderr } = await run('-c', file, '--ready-file', '/nowhere/ready');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'The file /nowhere/ready cannot be written: its folder does not exist.\n',
  });
});

const PART = 'port: 0\npdpUrl: 127.0.0.1:1\ndrainDelay: 0\n';
const WHOLE = `${PART}host: 127.0.0.1\n`;

/** Writes a part of a file again and again, for longer than a service takes to start, and then all of it; by a clock that is ahead. */
const WRITER = `
  const { utimesSync, writeFileSync } = require('node:fs');
  const [, file, part, whole] = process.argv;
  let times = 0;
  const timer = setInterval(() => {
    writeFileSync(file, times === 300 ? whole : part);
    const time = Date.now() / 1000 + 3600;
    utimesSync(file, time, time);
    if (times++ === 0) console.log('begun');
    if (times > 300) clearInterval(timer);
  }, 5);
`;

test('a configuration that is being written at the start is read once it is whole', async () => {
  const file = await fileWith(PART);
  const writer = spawn(process.execPath, ['-e', WRITER, file, PART, WHOLE]);
  stopLater(async () => void writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  const { logged } = await serving('-c', file);
  expect(logged()).toContain('"message":"Listening","host":"127.0.0.1"');
});

describe('the ready file', () => {
  test.each([['host: 127.0.0.1', 'http://127.0.0.1'], ['', 'http://localhost'], ...OVER_IPV6])(
    'has the address as a URL: with "%s", that begins with %s',
    async (host, beginning) => {
      const folder = await folderWith({ 'config.yaml': `port: 0\n${host}\npdpUrl: 127.0.0.1:1\n` });
      const ready = path.join(folder, 'ready');
      const { port } = await serving('-c', path.join(folder, 'config.yaml'), '--ready-file', ready);
      await eventually(async () => (await contentOf(ready)).endsWith('\n'));
      expect(await contentOf(ready)).toBe(`${beginning}:${port}\n`);
    },
  );
});

function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Enforces a payload over a connection that the caller would keep for its next request. */
async function enforcedOverKeptConnection(port: number): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  stopLater(async () => agent.destroy());
  const headers = { 'content-type': 'application/json' };
  const sent = request({ host: '127.0.0.1', port, agent, method: 'POST', path: '/enforce', headers });
  sent.end(enforcing('[{"a":1}]'));
  const answer = Promise.withResolvers<IncomingMessage>();
  sent.once('response', answer.resolve).once('error', answer.reject);
  return text(await answer.promise);
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('ends the process in order', async () => {
    const service = await servingWith(await startStub());
    service.signal(signal);
    const { code, stdout, stderr } = await service.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(messagesIn(stdout)).toEqual(['Listening', 'Stopping', 'Stopped']);
  });

  test('lets a request that is under way be answered, and then ends the process', async () => {
    const pdp = await startHeldPdp();
    const service = await servingWith(pdp);
    const answer = enforcedOverKeptConnection(service.port);
    await eventually(() => pdp.seen.asked === 1);
    service.signal(signal);
    await eventually(() => service.logged().includes('Stopping'));
    pdp.answer(decision({ access: [maskRule('a')] }));
    expect(await answer).toBe('[{"a":null}]');
    const { code, stdout } = await service.ended;
    expect(code).toBe(0);
    expect(messagesIn(stdout)).toEqual(['Listening', 'Stopping', 'Request', 'Stopped']);
  });

  test('ends the process though connections are open on which nothing is under way', async () => {
    const service = await servingWith(await startStub());
    const socket = await connected(service.port);
    service.signal(signal);
    expect((await service.ended).code).toBe(0);
    socket.destroy();
  });
});
