import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeAll, portOf, stopLater } from '../pdp/transport/setup.ts';
import { call } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { install, isRunning, pidIn, portIn, tracesIn, which, type Installation } from './installation.ts';

const EMBEDDED = { policyFile: 'sample-policies.yaml', attrName: 'column', object: 'table' };

let installation: Installation;

beforeAll(async () => {
  installation = await install();
});

afterEach(async () => {
  await installation.reset();
  await closeAll();
});

afterAll(() => installation.remove());

async function started(): Promise<string> {
  const { status, stdout, stderr } = await installation.run('start.sh');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A port of this machine that is taken. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  stopLater(async () => {
    await new Promise((resolve) => void server.close(resolve));
  });
  return portOf(server);
}

describe('start.sh', () => {
  test('starts in the background, and prints address, log and process once it is live', async () => {
    await installation.configure(EMBEDDED);
    const stdout = await started();
    expect(stdout).toMatch(
      /^authz-jsonmasking is live\.\n {2}address {2}http:\/\/localhost:\d+\n {2}log {6}\/.+\/authz-jsonmasking\.log\n {2}process {2}\d+\n$/,
    );
    expect(await call(portIn(stdout), { method: 'GET', path: '/health/liveness' })).toMatchObject({
      status: 200,
    });
    expect(isRunning(pidIn(stdout))).toBe(true);
    expect(await tracesIn(installation)).toEqual(['authz-jsonmasking.log', 'authz-jsonmasking.pid']);
  });

  test('takes a configuration from anywhere, relative to the current folder', async () => {
    const elsewhere = path.join(installation.folder, '..', 'other folder');
    await mkdir(elsewhere);
    await installation.configure({
      ...EMBEDDED,
      policyFile: path.join(installation.folder, 'sample-policies.yaml'),
    });
    await cp(installation.file('config.yaml'), path.join(elsewhere, 'my config.yaml'));
    await rm(installation.file('config.yaml'));
    const { status, stdout } = await installation.run('start.sh', ['-c', 'my config.yaml'], {
      cwd: elsewhere,
    });
    expect(status).toBe(0);
    expect(await call(portIn(stdout), { method: 'GET', path: '/health/readiness' })).toMatchObject({
      status: 200,
    });
  });

  test('warns of a PDP that cannot be reached', async () => {
    await installation.configure({ port: 0, host: '127.0.0.1', pdpUrl: '127.0.0.1:1' });
    const { status, stdout } = await installation.run('start.sh');
    expect(status).toBe(0);
    expect(stdout).toContain('warning  the PDP cannot be reached; requests fail with 502 until it can');
  });

  test('says that it is running already, and leaves it running', async () => {
    await installation.configure(EMBEDDED);
    const pid = pidIn(await started());
    expect(await installation.run('start.sh')).toEqual({
      status: 1,
      stdout: '',
      stderr: `authz-jsonmasking is running already, as process ${pid}.\n`,
    });
    expect(isRunning(pid)).toBe(true);
  });

  test('says so, too, if another was faster while it checked the configuration, and leaves that one to stop.sh', async () => {
    await installation.configure(EMBEDDED);
    const pipe = installation.file('pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    const slow = installation.run('start.sh', ['-c', pipe]);
    // A pipe is opened once both ends are: the slow one then checks it.
    const written = await open(pipe, 'w');
    const pid = pidIn(await started());
    await written.writeFile(await readFile(installation.file('config.yaml')));
    await rm(pipe);
    await written.close();
    expect(await slow).toEqual({
      status: 1,
      stdout: '',
      stderr: `authz-jsonmasking is running already, as process ${pid}.\n`,
    });
    expect((await installation.run('stop.sh')).stdout).toBe('authz-jsonmasking has stopped.\n');
    expect(isRunning(pid)).toBe(false);
  });

  test('says to copy the sample if the configuration is missing', async () => {
    const { status, stdout, stderr } = await installation.run('start.sh');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `There is no ${installation.file('config.yaml')}. Copy ${installation.file('sample-config.yaml')} to it, ` +
        'and change what has to be.\n',
    );
    expect(await tracesIn(installation)).toEqual([]);
  });

  test('names the configuration that it was given and that is not there', async () => {
    const { status, stderr } = await installation.run('start.sh', ['-c', '/nowhere/config.yaml']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'There is no /nowhere/config.yaml.\n' });
  });

  test('prints every problem of a configuration that is wrong', async () => {
    await installation.configure({ ...EMBEDDED, maxBody: 0, pdpUlr: 'pdp:8080' });
    const { status, stdout, stderr } = await installation.run('start.sh');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('config.yaml: 2 problems\n');
    expect(stderr).toContain('line 6: maxBody must be an integer from 1 to 256');
    expect(stderr).toContain('line 7: pdpUlr is not a known key; the nearest one is pdpUrl');
    expect(await tracesIn(installation)).toEqual([]);
  });

  test('prints the end of the log if the process ends while it starts, and only of this start', async () => {
    await writeFile(installation.file('authz-jsonmasking.log'), 'of an earlier start\n');
    const port = await takenPort();
    await installation.configure({ ...EMBEDDED, filter: true, port });
    const { status, stdout, stderr } = await installation.run('start.sh');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      'authz-jsonmasking ended while it started. What it logged at last, in ' +
        `${installation.file('authz-jsonmasking.log')}:\n  Cannot listen on port ${port}: the port is in use (EADDRINUSE).\n`,
    );
    expect(await tracesIn(installation)).toEqual(['authz-jsonmasking.log']);
  });

  test.each(['mkdir', 'mkfifo'])('refuses to start if the log file cannot be written: %s', async (make) => {
    await installation.configure(EMBEDDED);
    execFileSync(make, [installation.file('authz-jsonmasking.log')]);
    const { status, stderr } = await installation.run('start.sh');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `The log file ${installation.file('authz-jsonmasking.log')} cannot be written.\n`,
    });
    expect(await tracesIn(installation)).toEqual(['authz-jsonmasking.log']);
  });

  test.each(['-x', '-c', 'config.yaml'])('explains itself if it is called with %s', async (args) => {
    const { status, stderr } = await installation.run('start.sh', args.split(' '));
    expect(status).toBe(1);
    expect(stderr).toContain('usage: start.sh [-c FILE]');
  });

  test('starts again after the process was killed', async () => {
    await installation.configure(EMBEDDED);
    const first = pidIn(await started());
    process.kill(first, 'SIGKILL');
    await eventually(() => !isRunning(first));
    expect(pidIn(await started())).not.toBe(first);
  });
});

describe('stop.sh', () => {
  test('stops in order, and has nothing to say against a second call', async () => {
    await installation.configure(EMBEDDED);
    const pid = pidIn(await started());
    expect(await installation.run('stop.sh')).toEqual({
      status: 0,
      stdout: 'authz-jsonmasking has stopped.\n',
      stderr: '',
    });
    expect(isRunning(pid)).toBe(false);
    expect(await tracesIn(installation)).toEqual(['authz-jsonmasking.log']);
    expect(await readFile(installation.file('authz-jsonmasking.log'), 'utf8')).toContain(
      '"message":"Stopped"',
    );
    expect(await installation.run('stop.sh')).toEqual({
      status: 0,
      stdout: 'authz-jsonmasking is not running.\n',
      stderr: '',
    });
  });

  test('says if it cannot read the pid file', async () => {
    await mkdir(installation.file('authz-jsonmasking.pid'));
    for (const script of ['start.sh', 'stop.sh', 'reopen-log.sh'])
      // oxlint-disable-next-line no-await-in-loop -- one script after another
      expect(await installation.run(script)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('authz-jsonmasking.pid cannot be read by this user.'),
      });
    await rm(installation.file('authz-jsonmasking.pid'), { recursive: true });
  });

  test.each(['1', '01'])('kills a process that does not stop in time: -t %s', async (limit) => {
    await installation.configure(EMBEDDED);
    const pid = pidIn(await started());
    process.kill(pid, 'SIGSTOP');
    expect(await installation.run('stop.sh', ['-t', limit])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'authz-jsonmasking did not finish within 1 seconds and was killed.\n',
    });
    expect(isRunning(pid)).toBe(false);
  });

  test('leaves another process alone that has the number of one that ended', async () => {
    await installation.configure(EMBEDDED);
    process.kill(pidIn(await started()), 'SIGKILL');
    const other = spawn('sleep', ['600']);
    const [, mark] = (await installation.read('authz-jsonmasking.pid')).split('\n');
    await writeFile(installation.file('authz-jsonmasking.pid'), `${other.pid}\n${mark}\n`);
    expect(await installation.run('reopen-log.sh')).toMatchObject({ status: 0 });
    expect(await installation.run('stop.sh')).toMatchObject({
      status: 0,
      stdout: 'authz-jsonmasking is not running.\n',
    });
    expect(other.exitCode).toBeNull();
    expect(other.kill(0)).toBe(true);
    await started();
    other.kill();
  });

  test.each(['', 'nonsense\n', '1\n', '-1\nx\n', '1 2\nx\n'])(
    'takes %j as the number of no process',
    async (content) => {
      await writeFile(installation.file('authz-jsonmasking.pid'), content);
      expect(await installation.run('stop.sh')).toMatchObject({
        status: 0,
        stdout: 'authz-jsonmasking is not running.\n',
      });
      expect(await tracesIn(installation)).toEqual([]);
    },
  );

  test.each(['08', '010', '00'])('takes -t %s for a decimal number of seconds', async (limit) => {
    await installation.configure(EMBEDDED);
    await started();
    expect(await installation.run('stop.sh', ['-t', limit])).toMatchObject({ status: 0 });
  });

  test.each(['-x', '-t soon', '-t 12345678901', 'now'])(
    'explains itself if it is called with %s',
    async (args) => {
      const { status, stderr } = await installation.run('stop.sh', args.split(' '));
      expect(status).toBe(1);
      expect(stderr).toContain('usage: stop.sh [-t SECONDS]');
    },
  );
});

describe('the scripts', () => {
  /** Those that are usual as /bin/sh somewhere, as far as this machine has them. */
  const shells = [
    ['sh'],
    ['dash'],
    ['bash', '--posix'],
    ['busybox', 'sh'],
    ['ksh'],
    ['mksh'],
    ['yash'],
  ].filter(([name = '']) => which(name) !== undefined);

  test.each(shells)(
    'start, tell that it is running, reopen the log and stop under %s',
    async (name, ...options) => {
      const shell = [which(name) ?? name, ...options.filter((option) => typeof option === 'string')];
      const run = (script: string) => installation.run(script, [], { shell });
      await installation.configure(EMBEDDED);
      expect(await run('start.sh')).toMatchObject({ status: 0, stderr: '' });
      expect(await run('start.sh')).toMatchObject({ status: 1, stdout: '' });
      expect(await run('reopen-log.sh')).toEqual({ status: 0, stdout: '', stderr: '' });
      expect(await run('stop.sh')).toEqual({
        status: 0,
        stdout: 'authz-jsonmasking has stopped.\n',
        stderr: '',
      });
    },
  );
});
