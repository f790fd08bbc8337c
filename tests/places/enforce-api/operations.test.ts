import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createOperationsApp, type Health } from '../../../src/places/enforce-api/operations-app.ts';
import { Lifecycle } from '../../../src/places/listener/lifecycle.ts';
import { closeAll, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { call, problemIn } from '../../support/caller.ts';
import { loggerInMemory } from '../../telemetry/log/memory-sink.ts';
import { exchanged } from '../../support/wire.ts';

afterEach(closeAll);

interface Offered {
  readonly health?: Partial<Health>;
  readonly metrics?: () => Promise<string>;
}

function unconnected() {
  return Promise.resolve({ connected: false, reason: 'it is away' } as const);
}

function connected() {
  return Promise.resolve({ connected: true } as const);
}

/** A port for operators with what is offered there. */
async function serving({ health, metrics }: Offered) {
  const { logger, sink } = loggerInMemory('json', 'info');
  const lifecycle = new Lifecycle();
  const app = createOperationsApp({
    health: health && { connection: connected, lifecycle, ...health },
    metrics,
    lifecycle,
    log: logger,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(() => new Promise((resolve) => void server.close(() => resolve())));
  const port = portOf(server);
  const ask = (method: string, path: string) => call(port, { method, path });
  return { ask, port, lifecycle, logged: sink.lines };
}

describe('a port of the metrics', () => {
  test('answers them in the format of Prometheus, to GET and to HEAD', async () => {
    const { ask, logged } = await serving({ metrics: async () => 'a_total 1\n' });
    const fine = { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } };
    expect(await ask('GET', '/metrics')).toMatchObject({ ...fine, text: 'a_total 1\n' });
    expect(await ask('GET', '/metrics?name[]=a_total')).toMatchObject(fine);
    expect(await ask('HEAD', '/metrics')).toMatchObject({ ...fine, text: '' });
    expect(logged).toEqual([]);
  });

  test.each(['/', '/enforce', '/openapi.json', '/health/liveness', '/health/readiness'])(
    'answers 404 to %s',
    async (path) => {
      const { ask } = await serving({ metrics: async () => '' });
      expect((await ask('GET', path)).status).toBe(404);
    },
  );

  test.each(['', 'Host: a\r\nHost: b\r\n'])('answers 400 to a message with the hosts %j', async (hosts) => {
    const { port } = await serving({ metrics: async () => '' });
    const answer = await exchanged(port, `GET /metrics HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /u);
  });

  test('answers 405 to other methods', async () => {
    const { ask } = await serving({ metrics: async () => '' });
    expect(await ask('POST', '/metrics')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('answers 500, and logs why, when they cannot be read', async () => {
    const { ask, logged } = await serving({ metrics: () => Promise.reject(new Error('a worker died')) });
    const answer = await ask('GET', '/metrics');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('a worker died');
    expect(logged.join('\n')).toContain('a worker died');
  });
});

describe('a port of the health', () => {
  test('answers as the main port does', async () => {
    const { ask, lifecycle } = await serving({ health: {} });
    expect(await ask('GET', '/health/liveness')).toMatchObject({ status: 200, text: '{"status":"live"}' });
    expect(await ask('GET', '/health/readiness')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    lifecycle.leave();
    expect(await ask('GET', '/health/readiness')).toMatchObject({ status: 503 });
    expect(await ask('GET', '/health/liveness')).toMatchObject({ status: 200 });
  });

  test('is not ready without a PDP, and for any other obstacle', async () => {
    const apart = await serving({ health: { connection: unconnected } });
    const answer = await apart.ask('GET', '/health/readiness');
    expect(problemIn(answer)).toMatchObject({ status: 503, detail: 'The PDP is not connected: it is away.' });
    const idle = await serving({ health: { obstacle: () => 'No worker process listens.' } });
    expect(problemIn(await idle.ask('GET', '/health/readiness'))).toMatchObject({
      status: 503,
      detail: 'No worker process listens.',
    });
    expect((await idle.ask('GET', '/health/liveness')).status).toBe(200);
  });

  test.each(['/metrics', '/enforce', '/openapi.json'])('answers 404 to %s, with the paths', async (path) => {
    const { ask } = await serving({ health: {} });
    expect(problemIn(await ask('GET', path)).detail).toBe(
      'This port serves no such path. It serves /health/liveness, /health/readiness.',
    );
  });
});
