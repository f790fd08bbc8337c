import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { curlIn } from '../docs/curl.ts';
import { portOf } from '../pdp/transport/setup.ts';
import { runScript, startScript } from './script.ts';

describe('the service that is left running', () => {
  let script: ReturnType<typeof startScript>;

  beforeEach(async () => {
    script = startScript('run.ts', { PORT: '0' });
    await script.prints('The log follows.');
  });

  afterEach(async () => {
    script.child.kill('SIGTERM');
    await script.ended;
  });

  test('answers the curl that it prints', async () => {
    const { url, ...request } = curlIn(script.printed());
    const answer = await fetch(url, { method: 'POST', ...request });
    expect(answer.status).toBe(200);
    const [first, ...others] = z.array(z.looseObject({})).parse(await answer.json());
    expect(first).toMatchObject({ id: 'c1', creditLimit: null, phone: '+1 xxxxxxxxx143' });
    expect(others).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is stopped in order by %s', async (signal) => {
    script.child.kill(signal);
    const { exitCode, stdout, stderr } = await script.ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/INFO Stopped\n$/);
  });
});

test('the service ends if nobody reads what it prints, as with `make demo | head`', async () => {
  const script = startScript('run.ts', { PORT: '0' });
  await script.prints('The log follows.');
  const { url } = curlIn(script.printed());
  script.child.stdout?.destroy();
  // A request has a line in the log.
  await fetch(url).catch(() => undefined);
  await once(script.child, 'exit');
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

describe('the service that is to be left running', () => {
  test('says in one line that the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = portOf(server);
    const { exitCode, stderr } = await runScript('run.ts', { PORT: String(port) });
    server.close();
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `The service did not start. Cannot listen on 127.0.0.1:${port}: the port is in use (EADDRINUSE). Choose another one: make run PORT=6000\n`,
    );
  });

  test.each(['http', '-1', '65536', '5e3'])('refuses %s as a port', async (port) => {
    const { exitCode, stderr } = await runScript('run.ts', { PORT: port });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'PORT has to be a number up to 65535.\n' });
  });
});
