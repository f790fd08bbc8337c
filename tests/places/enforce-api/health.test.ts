import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, freePort, startStub, stopLater } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn, type Answer } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { NO_RULES, startEnforcement, startService } from '../../support/service.ts';

afterEach(closeAll);

function probe(port: number, name: 'liveness' | 'readiness', method = 'GET'): Promise<Answer> {
  return call(port, { method, path: `/health/${name}` });
}

/** Somebody who takes connections on a port, as a PDP that came back does. */
async function listenOn(port: number): Promise<void> {
  const server = createServer((socket) => socket.resume().on('error', () => socket.destroy()));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  stopLater(() => new Promise((resolve) => void server.close(() => resolve())));
}

const FINE = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
};

describe('the health of a service that is connected to its PDP', () => {
  test.each([
    ['liveness', '{"status":"live"}'],
    ['readiness', '{"status":"ready"}'],
  ] as const)('is good: %s', async (name, text) => {
    const { port } = await startEnforcement();
    expect(await probe(port, name)).toMatchObject({ ...FINE, text });
    expect(await probe(port, name, 'HEAD')).toMatchObject({ ...FINE, text: '' });
  });

  test('is logged at debug only', async () => {
    const { port, logged } = await startEnforcement(undefined, {}, 'info');
    await probe(port, 'liveness');
    await probe(port, 'readiness');
    await call(port, { body: enforcing('[]') });
    await eventually(() => logged.length > 0);
    expect(logged.join('\n')).not.toContain('/health/');
  });

  test('is found out without a request to the PDP', async () => {
    const { port, pdp } = await startEnforcement();
    await probe(port, 'readiness');
    expect(pdp.requests).toEqual([]);
  });
});

describe('the health of a service whose PDP is not there', () => {
  test('is that it lives and is not ready, for a reason', async () => {
    const pdpPort = await freePort();
    const { port } = await startService({ pdpUrl: `127.0.0.1:${pdpPort}` });
    const answer = await probe(port, 'readiness');
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
    });
    expect(problemIn(answer)).toMatchObject({
      type: 'urn:authz-jsonmasking:error:not-ready',
      detail: `The PDP is not connected: connection refused by 127.0.0.1:${pdpPort}.`,
    });
    expect(await probe(port, 'liveness')).toMatchObject(FINE);
  });

  test('is not ready once a question was lost, though the PDP answered just before', async () => {
    const pdp = await startStub(NO_RULES, await freePort());
    const { port } = await startService({ pdpUrl: pdp.url.href });
    await call(port, { body: enforcing('[]') });
    await pdp.close();
    expect((await probe(port, 'readiness')).status).toBe(200);
    await call(port, { body: enforcing('[]') });
    expect((await probe(port, 'readiness')).status).toBe(503);
    expect((await probe(port, 'liveness')).status).toBe(200);
  });

  test('is good again when the PDP is back', async () => {
    const pdpPort = await freePort();
    const { port } = await startService({ pdpUrl: `127.0.0.1:${pdpPort}` });
    expect((await probe(port, 'readiness')).status).toBe(503);
    await listenOn(pdpPort);
    await eventually(async () => (await probe(port, 'readiness')).status === 200);
    expect((await probe(port, 'liveness')).status).toBe(200);
  });
});

describe('a service that is shutting down', () => {
  test('refuses what is new, and says when to try again', async () => {
    const { port, lifecycle, pdp } = await startEnforcement();
    lifecycle.drain();
    const answer = await call(port, { body: enforcing('[]') });
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:draining');
    expect(pdp.requests).toEqual([]);
  });

  test('is not ready, and lives', async () => {
    const { port, lifecycle } = await startEnforcement();
    lifecycle.drain();
    const answer = await probe(port, 'readiness');
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(problemIn(answer).detail).toBe('The service is shutting down.');
    expect(await probe(port, 'liveness')).toMatchObject(FINE);
  });
});
