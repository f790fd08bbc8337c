import { afterEach, describe, expect, test } from '@jest/globals';
import { serveMetrics } from '../../../src/telemetry/metrics/server.ts';
import { loggerInMemory } from '../log/memory-sink.ts';
import { closeAll, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { call } from '../../support/caller.ts';

afterEach(closeAll);

/** Serves metrics that are read like that. */
async function serving(read: () => Promise<string>) {
  const { logger, sink } = loggerInMemory('json', 'debug');
  const server = await serveMetrics({ host: '127.0.0.1', port: 0, read, log: logger });
  stopLater(() => new Promise((resolve) => void server.close(() => resolve())));
  const ask = (method: string, path: string) => call(portOf(server), { method, path });
  return { ask, logged: sink.lines };
}

describe('the port of the metrics', () => {
  test('answers them in the format of Prometheus, to GET and to HEAD', async () => {
    const { ask } = await serving(async () => 'a_total 1\n');
    const fine = { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } };
    expect(await ask('GET', '/metrics')).toMatchObject({ ...fine, text: 'a_total 1\n' });
    expect(await ask('GET', '/metrics?name[]=a_total')).toMatchObject(fine);
    expect(await ask('HEAD', '/metrics')).toMatchObject({ ...fine, text: '' });
  });

  test.each(['/', '/metrics/', '/enforce', '/health/liveness'])('answers 404 to %s', async (path) => {
    const { ask } = await serving(async () => '');
    expect((await ask('GET', path)).status).toBe(404);
  });

  test('answers 405 to other methods', async () => {
    const { ask } = await serving(async () => '');
    expect(await ask('POST', '/metrics')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('answers 500, and logs why, where they cannot be read', async () => {
    const { ask, logged } = await serving(() => Promise.reject(new Error('a worker died')));
    expect((await ask('GET', '/metrics')).status).toBe(500);
    expect(logged.join('\n')).toContain('a worker died');
  });
});
