import { Agent, request, type IncomingMessage } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, freePort, startStub, stopLater } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { startHeldPdp } from '../support/held-pdp.ts';
import { fileWith, folderWith } from '../support/folder.ts';
import { serving, starting, startingAfter } from '../support/process.ts';
import { NO_RULES } from '../support/service.ts';
import { connected, restOf } from '../support/wire.ts';

afterEach(closeAll);

const BODY = enforcing('[{"a":1}]');
const MESSAGE = `POST /enforce HTTP/1.1\r\nHost: s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
/** Longer than any test takes. */
const LONG = 'drainDelay: 600000\ndrainTimeout: 700000';

async function written(...lines: readonly string[]): Promise<string> {
  const pdp = await startStub(NO_RULES);
  return ['port: 0', 'host: 127.0.0.1', `pdpUrl: 127.0.0.1:${pdp.port}`, ...lines].join('\n');
}

async function configured(...lines: readonly string[]): Promise<string> {
  return fileWith(await written(...lines));
}

async function servingWith(...lines: readonly string[]) {
  return serving('-c', await configured(...lines));
}

function isReady(port: number): Promise<boolean> {
  return call(port, { method: 'GET', path: '/health/readiness' }).then(({ status }) => status === 200);
}

describe('a process that serves on after SIGTERM', () => {
  test.each([
    ['SIGTERM', 'workers: 1'],
    ['SIGHUP', 'workers: 1'],
    ['SIGTERM', 'workers: 2'],
  ] as const)('stops when it is interrupted: after %s, with %s', async (signal, workers) => {
    const service = await servingWith(LONG, workers);
    service.signal(signal);
    await eventually(() => service.logged().includes('"message":"Stopping"'));
    await eventually(async () => !(await isReady(service.port)));
    expect((await call(service.port, { body: BODY })).status).toBe(200);
    service.signal('SIGINT');
    expect((await service.ended).code).toBe(0);
  });

  test('keeps serving after another SIGTERM or SIGHUP, and ends at SIGINT', async () => {
    const service = await servingWith(LONG);
    service.signal('SIGTERM');
    await eventually(() => service.logged().includes('"message":"Stopping"'));
    service.signal('SIGTERM');
    service.signal('SIGHUP');
    expect((await call(service.port, { body: BODY })).status).toBe(200);
    service.signal('SIGINT');
    const { code, stdout } = await service.ended;
    expect(code).toBe(0);
    expect(stdout.match(/"message":"Stopp(?:ing|ed)"/gu)).toHaveLength(2);
  });
});

test('SIGINT does not wait until callers have gone elsewhere', async () => {
  const service = await servingWith(LONG);
  service.signal('SIGINT');
  expect((await service.ended).code).toBe(0);
});

test('a second SIGINT ends the process at once, whatever is under way', async () => {
  const pdp = await startHeldPdp();
  const lines = ['port: 0', 'host: 127.0.0.1', `pdpUrl: 127.0.0.1:${pdp.port}`, LONG];
  const service = await serving('-c', await fileWith(lines.join('\n')));
  const answer = call(service.port, { body: BODY });
  answer.catch(() => undefined);
  await eventually(() => pdp.seen.asked > 0);
  service.signal('SIGINT');
  await eventually(() => service.logged().includes('"message":"Stopping"'));
  service.signal('SIGINT');
  expect((await service.ended).code).toBe(1);
});

test.each(['workers: 1', 'workers: 2'])(
  'a log file that is rotated while the service starts is opened again: %s',
  async (workers) => {
    const folder = await folderWith({ 'config.yaml': await written(workers) });
    const log = `${folder}/service.log`;
    const ready = `${folder}/ready`;
    const service = starting('-c', `${folder}/config.yaml`, '--log-file', log, '--ready-file', ready);
    await eventually(() => existsSync(log));
    await rename(log, `${log}.1`);
    service.signal('SIGHUP');
    await eventually(() => existsSync(ready) && existsSync(log));
    service.signal('SIGINT');
    expect((await service.ended).code).toBe(0);
    expect(readFileSync(log, 'utf8')).toContain('"message":"Stopped"');
  },
);

test.each(['workers: 1', 'workers: 2'])('SIGUSR1 opens no debugger: %s', async (workers) => {
  const service = await servingWith(workers);
  service.signal('SIGUSR1');
  expect((await call(service.port, { body: BODY })).status).toBe(200);
  // By then, a debugger would have said so.
  service.signal('SIGUSR2');
  await eventually(() => service.logged().includes('Log level changed'));
  service.signal('SIGINT');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
});

test('a rolling update loses no request of callers that reuse idle connections, with the defaults', async () => {
  const [old, successor] = await Promise.all([servingWith(), servingWith()]);
  let target = old.port;
  const over = new AbortController();
  const statuses: (number | undefined)[] = [];
  const caller = async (pause: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    stopLater(async () => agent.destroy());
    while (!over.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      statuses.push(await enforce(target, agent));
      // oxlint-disable-next-line no-await-in-loop
      await wait(pause);
    }
  };
  const callers = [0, 1, 5, 20, 100, 300, 700].map((pause) => caller(pause));
  await eventually(() => statuses.length > 100);
  old.signal('SIGTERM');
  await eventually(async () => !(await isReady(old.port)));
  // What routes the callers notices later than that.
  await wait(500);
  target = successor.port;
  expect((await old.ended).code).toBe(0);
  over.abort();
  await Promise.all(callers);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

async function enforce(port: number, agent: Agent): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json', 'content-length': BODY.length };
  request({ host: '127.0.0.1', port, agent, method: 'POST', path: '/enforce', headers }, resolve)
    .once('error', reject)
    .end(BODY);
  const answer = await promise;
  await text(answer);
  return answer.statusCode;
}

describe('a signal that comes early', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends the process, which serves nothing yet: %s',
    async (signal) => {
      const service = starting('-c', await configured('workers: 2'));
      await eventually(() => service.isFollowingSignals());
      service.signal(signal);
      const { code, stdout } = await service.ended;
      expect(code).toBeGreaterThan(128);
      expect(stdout).not.toContain('Listening');
    },
  );

  test('stops in order once one of the workers serves, and ends the others as soon as they have started', async () => {
    const folder = await folderWith({ 'config.yaml': await written('workers: 2', 'drainDelay: 0') });
    const held = holdingSecondWorker(`${folder}/go-on`);
    const service = startingAfter(held, '-c', `${folder}/config.yaml`);
    await eventually(() => service.printed().includes('"message":"Worker listening"'));
    service.signal('SIGTERM');
    await eventually(() => service.printed().includes('"message":"Stopping"'));
    await writeFile(`${folder}/go-on`, '');
    const { code, stdout } = await service.ended;
    expect(stdout.match(/"message":"(?:Listening|Stopping|Stopped)"/gu)).toEqual([
      '"message":"Stopping"',
      '"message":"Stopped"',
    ]);
    expect(code).toBe(0);
  });

  test('ends a worker that is just being started, too', async () => {
    const metrics = `metrics: { host: 127.0.0.1, port: ${await freePort()} }`;
    const service = await servingWith('workers: 2', 'drainDelay: 0', metrics);
    const [first = 0] = workersOf(service.logged());
    process.kill(first, 'SIGKILL');
    await eventually(() => service.logged().includes('Worker died'));
    // It is forked 100 ms later, and takes several hundred to start.
    await wait(250);
    service.signal('SIGTERM');
    const { code, stdout } = await service.ended;
    expect(stdout).not.toContain('Worker killed');
    expect(code).toBe(0);
  });
});

/** Options of Node.js that have the second worker wait until there is a file, before it starts. */
function holdingSecondWorker(file: string): readonly string[] {
  const program = `
    import cluster from 'node:cluster';
    import { existsSync } from 'node:fs';
    const pause = new Int32Array(new SharedArrayBuffer(4));
    if (cluster.worker?.id === 2) while (!existsSync('${file}')) Atomics.wait(pause, 0, 0, 5);
  `;
  return [`--import=data:text/javascript,${encodeURIComponent(program)}`];
}

test('a connection that a worker was given and did not take ends when the worker dies', async () => {
  const service = await servingWith('workers: 2', LONG);
  const [stuck = 0] = workersOf(service.logged());
  process.kill(stuck, 'SIGSTOP');
  const sockets = await Promise.all(Array.from({ length: 6 }, () => connected(service.port)));
  const answers = sockets.map((socket) => {
    socket.on('error', () => undefined).write(MESSAGE);
    return restOf(socket).catch(() => 'reset');
  });
  let over = 0;
  answers.forEach((answer) => void answer.then(() => over++));
  await eventually(() => over >= 4);
  process.kill(stuck, 'SIGKILL');
  const received = await Promise.all(answers);
  expect(received.filter((answer) => answer.startsWith('HTTP/1.1 200')).length).toBeGreaterThanOrEqual(4);
  service.signal('SIGINT');
  expect((await service.ended).code).toBe(0);
});

test('a worker that is started again takes no other configuration than the others have', async () => {
  const file = await configured('workers: 2', 'drainDelay: 0');
  const service = await serving('-c', file);
  const configuration = await readFile(file, 'utf8');
  await writeFile(file, `${configuration}\nmaskString: other\n`);
  const [first = 0] = workersOf(service.logged());
  process.kill(first, 'SIGKILL');
  await eventually(() => service.logged().split('"message":"Worker died"').length > 2);
  expect((await call(service.port, { body: BODY })).status).toBe(200);
  await writeFile(file, configuration);
  await eventually(() => workersOf(service.logged()).length === 3);
  service.signal('SIGTERM');
  const { code, stderr } = await service.ended;
  expect(stderr).toContain(`${file} is not the file that the service is to start with`);
  expect(code).toBe(0);
});

test('a service is not ready while none of its workers listens', async () => {
  const port = await freePort();
  const file = await configured('workers: 2', 'drainDelay: 0', `health: { host: 127.0.0.1, port: ${port} }`);
  const service = await serving('-c', file);
  await eventually(() => isReady(port));
  const configuration = await readFile(file, 'utf8');
  // No worker starts again with another one.
  await writeFile(file, `${configuration}\nmaskString: other\n`);
  for (const worker of workersOf(service.logged())) process.kill(worker, 'SIGKILL');
  await eventually(async () => !(await isReady(port)));
  await writeFile(file, configuration);
  await eventually(() => isReady(port));
  service.signal('SIGTERM');
  expect((await service.ended).code).toBe(0);
});

test('a worker that is started again logs everything if the others do', async () => {
  const service = await servingWith('workers: 2', 'drainDelay: 0');
  const changes = (): number => service.logged().split('Log level changed').length - 1;
  service.signal('SIGUSR2');
  await eventually(() => changes() === 3);
  const [first = 0] = workersOf(service.logged());
  process.kill(first, 'SIGKILL');
  await eventually(() => workersOf(service.logged()).length === 3);
  await eventually(() => changes() === 4);
  service.signal('SIGTERM');
  expect((await service.ended).code).toBe(0);
});

function workersOf(log: string): readonly number[] {
  return [...log.matchAll(/"message":"Worker listening".*"pid":(\d+)/gu)].map(([, pid]) => Number(pid));
}
