import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeAll, portOf, startStub, stopLater } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision, maskRule } from '../support/decision.ts';
import { eventually } from '../support/eventually.ts';
import { entriesIn, install, isRunning, pidIn, portIn, type Installation } from './installation.ts';

const EMBEDDED = { policyFile: 'sample-policies.yaml', attrName: 'column', object: 'table', filter: true };
const JANE = { vendor: { entityTypeId: 'Agent', entityId: 'jane' } };
const LOG = 'authz-jsonmasking.log';
const READY = 'authz-jsonmasking.ready';

let installation: Installation;

beforeAll(async () => {
  installation = await install();
});

afterEach(async () => {
  await installation.reset();
  await closeAll();
});

afterAll(() => installation.remove());

interface Started {
  readonly port: number;
  readonly pid: number;
}

async function started(configuration: Readonly<Record<string, unknown>>): Promise<Started> {
  await installation.configure(configuration);
  const { stdout, stderr } = await installation.run('start.sh');
  expect(stderr).toBe('');
  return { port: portIn(stdout), pid: pidIn(stdout) };
}

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** Whether a process writes to the file that has this name now. */
function hasOpen(pid: number, file: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((fd) => targetOf(`${folder}/${fd}`) === file);
}

/** Null where the link has gone since it was listed. */
function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** One request, which is logged with the id that it is given. */
async function ping(port: number, id: string): Promise<void> {
  const { status } = await call(port, { method: 'GET', path: '/nowhere', headers: { 'x-request-id': id } });
  expect(status).toBe(404);
}

async function loggedIds(...files: readonly string[]): Promise<readonly unknown[]> {
  const logs = await Promise.all(files.map((file) => installation.read(file)));
  return logs.flatMap(entriesIn).flatMap(({ requestId }) => requestId ?? []);
}

describe('the standalone service', () => {
  test('masks what a remote PDP decides, whose host and port are configured', async () => {
    const pdp = await startStub({ body: decision({ access: [maskRule('ssn')] }) });
    const { port } = await started({ pdpUrl: `127.0.0.1:${pdp.port}`, maskString: '***' });
    const body = enforcing('[{"id":1,"ssn":"123-45-6789"}]', { vendor: { entityId: 'jane' } });
    expect(await call(port, { body })).toMatchObject({ status: 200, text: '[{"id":1,"ssn":"***"}]' });
    const asked = pdp.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
    expect(asked).toEqual(['/api/runtime/resolution/v3']);
  });

  test('masks what the sample policies decide, set up and called as README.md says', async () => {
    const sample = await installation.read('sample-config.yaml');
    const changed = sample.replace(/^pdpUrl/m, '#pdpUrl').replace(/^#policyFile/m, 'policyFile');
    await writeFile(installation.file('config.yaml'), changed.replace(/^port: .*/m, 'port: 0'));
    const { stdout } = await installation.run('start.sh');
    const body = /-d '(\{.*?\})'/s.exec(await installation.read('README.md'))?.[1] ?? '';
    const answer = await call(portIn(stdout), { body });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual([
      {
        id: 'c1',
        country: 'US',
        phone: '+1 xxxxxxxxx143',
        creditLimit: null,
        consent: { marketing: 'unknown' },
      },
    ]);
  });

  test('runs in the foreground too, and logs to the terminal', async () => {
    await installation.configure(EMBEDDED);
    const service = installation.spawn(['-c', 'config.yaml']);
    const [first]: string[] = await once(service.stdout, 'data').then((lines) => lines.map(String));
    expect(entriesIn(first ?? '')).toEqual([
      expect.objectContaining({ level: 'info', message: 'Listening' }),
    ]);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  });
});

describe('the log file', () => {
  test('has one JSON object a line', async () => {
    const { port, pid } = await started(EMBEDDED);
    await ping(port, 'one');
    process.kill(pid, 'SIGTERM');
    await eventually(() => !isRunning(pid));
    expect(entriesIn(await installation.read(LOG)).map(({ message }) => message)).toEqual([
      'Listening',
      'Request',
      'Stopping',
      'Stopped',
    ]);
  });

  test('continues in a new file after a rotation, without losing a line', async () => {
    const { port } = await started(EMBEDDED);
    const ids = Array.from({ length: 60 }, (_, index) => `request-${index}`);
    const pings = ids.map((id) => ping(port, id));
    await Promise.race(pings);
    await rename(installation.file(LOG), installation.file(`${LOG}.1`));
    await installation.run('reopen-log.sh');
    await Promise.all(pings);
    // The signal arrives some time later: the old file may have some of these lines, too.
    await eventually(async () => {
      ids.push(`afterwards-${ids.length}`);
      await ping(port, ids.at(-1) ?? '');
      return existsSync(installation.file(LOG)) && (await loggedIds(LOG)).length > 0;
    });
    await eventually(async () => (await loggedIds(`${LOG}.1`, LOG)).length >= ids.length);
    expect(new Set(await loggedIds(`${LOG}.1`, LOG))).toEqual(new Set(ids));
  });

  test('continues in the old file if a new one cannot be created', async () => {
    const { port, pid } = await started(EMBEDDED);
    await rename(installation.file(LOG), installation.file(`${LOG}.1`));
    await symlink('/nowhere/log', installation.file(LOG));
    process.kill(pid, 'SIGHUP');
    await eventually(async () => (await installation.read(`${LOG}.1`)).includes('Log file reopen failed'));
    await ping(port, 'afterwards');
    await eventually(async () => (await loggedIds(`${LOG}.1`)).length > 0);
    expect(await loggedIds(`${LOG}.1`)).toEqual(['afterwards']);
  });

  test('may be on a full disk, and enforcement continues', async () => {
    await installation.configure(EMBEDDED);
    const files = ['--log-file', '/dev/full', '--ready-file', installation.file(READY)];
    const service = installation.spawn(['-c', 'config.yaml', ...files]);
    // The file is there before the address is in it.
    await eventually(
      () => existsSync(installation.file(READY)) && statSync(installation.file(READY)).size > 0,
    );
    const port = Number(new URL(await installation.read(READY)).port);
    const body = enforcing('[{"id":"c1","country":"US","medicalNote":"private"}]', JANE);
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(port, { body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  });

  test('is an error at start if it cannot be written', async () => {
    await installation.configure(EMBEDDED);
    const args = ['-c', installation.file('config.yaml'), '--log-file', '/nowhere/service.log'];
    const outcome = await installation.run('authz-jsonmasking', args);
    expect(outcome).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The log file /nowhere/service.log cannot be written: its folder does not exist (ENOENT).\n',
    });
  });
});

describe('several workers', () => {
  const WORKERS = { ...EMBEDDED, workers: 3 };

  test('serve one port, beside the process that start.sh names', async () => {
    const { port, pid } = await started(WORKERS);
    expect(childrenOf(pid)).toHaveLength(3);
    const body = enforcing('[{"id":"c1","country":"US","medicalNote":"private"}]', JANE);
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(port, { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.filter(({ text: answer }) => answer.includes('private'))).toEqual([]);
    const listening = entriesIn(await installation.read(LOG)).filter(
      ({ message }) => message === 'Listening',
    );
    expect(listening).toEqual([expect.objectContaining({ port, workers: 3 })]);
  });

  test('are started again when they die', async () => {
    const { port, pid } = await started(WORKERS);
    const [victim = 0] = childrenOf(pid);
    process.kill(victim, 'SIGKILL');
    await eventually(() => childrenOf(pid).length === 3 && !childrenOf(pid).includes(victim));
    expect(await call(port, { method: 'GET', path: '/health/liveness' })).toMatchObject({ status: 200 });
    expect(entriesIn(await installation.read(LOG))).toContainEqual(
      expect.objectContaining({ message: 'Worker died', pid: victim, signal: 'SIGKILL' }),
    );
  });

  test('finish what is under way, and then all end', async () => {
    const asked = Promise.withResolvers<() => void>();
    const pdp = createServer((request, response) => {
      const answer = (): void => void response.end(decision({ access: [maskRule('ssn')] }));
      if (request.method === 'POST') asked.resolve(answer);
      else response.end();
    }).listen(0, '127.0.0.1');
    stopLater(async () => void pdp.close());
    await once(pdp, 'listening');
    const { port, pid } = await started({ workers: 2, pdpUrl: `127.0.0.1:${portOf(pdp)}` });
    const workers = childrenOf(pid);
    const answer = call(port, { body: enforcing('[{"ssn":"1"}]') });
    const giveAnswer = await asked.promise;
    const stopped = installation.run('stop.sh');
    await eventually(async () => (await installation.read(LOG)).includes('"message":"Stopping"'));
    giveAnswer();
    expect(await answer).toMatchObject({ status: 200, text: '[{"ssn":"***"}]' });
    expect(await stopped).toMatchObject({ status: 0, stderr: '' });
    expect([pid, ...workers].filter(isRunning)).toEqual([]);
  });

  test('end with the process that started them, however that ends', async () => {
    const { pid } = await started(WORKERS);
    const workers = childrenOf(pid);
    process.kill(pid, 'SIGKILL');
    await eventually(() => !workers.some(isRunning));
    expect((await started(WORKERS)).pid).not.toBe(pid);
  });

  test('write whole lines to one log, and all go on in a new one', async () => {
    const { port, pid } = await started(WORKERS);
    await rename(installation.file(LOG), installation.file(`${LOG}.1`));
    process.kill(pid, 'SIGHUP');
    await eventually(() =>
      [pid, ...childrenOf(pid)].every((process) => hasOpen(process, installation.file(LOG))),
    );
    const ids = Array.from({ length: 60 }, (_, index) => `request-${index}`);
    await Promise.all(ids.map((id) => ping(port, id)));
    await eventually(async () => (await loggedIds(LOG)).length === ids.length);
    expect(new Set(await loggedIds(LOG))).toEqual(new Set(ids));
  });

  test('say once why they cannot listen', async () => {
    const taken = createServer().listen(0);
    stopLater(async () => void taken.close());
    await once(taken, 'listening');
    const port = portOf(taken);
    await installation.configure({ ...WORKERS, port });
    const service = installation.spawn(['-c', 'config.yaml']);
    const [stderr] = await Promise.all([text(service.stderr), once(service, 'exit')]);
    expect(stderr).toBe(`Cannot listen on port ${port}: the port is in use (EADDRINUSE).\n`);
    expect(service.exitCode).toBe(1);
  });
});
