import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll, freePort, stopLater } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';

afterEach(closeAll);

/** A route that passes `/health` lets through what the application answers there, whatever the query. */
test.each([
  ['examples/compose/customers.mjs'],
  ['examples/proxy/application.mjs'],
  ['examples/envoy/application.ts'],
  ['charts/example-microservice/files/plain-orders.mjs'],
])('%s answers /health without data, also with a query', async (file) => {
  const port = String(await freePort());
  const env = { ...process.env, PORT: port, HOST: '127.0.0.1' };
  const application = spawn(process.execPath, [file, port], { env, stdio: 'ignore' });
  stopLater(async () => {
    const ended = once(application, 'exit');
    application.kill('SIGKILL');
    await ended;
  });
  const answerTo = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  await eventually(() =>
    answerTo('/health').then(
      () => true,
      () => false,
    ),
  );
  expect(await answerTo('/customers')).toContain('123-45-6789');
  expect(await Promise.all(['/health', '/health?', '/health?x=/customers'].map(answerTo))).toEqual(
    Array(3).fill(await answerTo('/health')),
  );
  expect(await answerTo('/health')).toMatch(/^(?:|ok|up)$/u);
});
