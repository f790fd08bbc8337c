import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { drain } from '../../../src/places/listener/drain.ts';
import { closeAll, stopLater } from '../../pdp/transport/setup.ts';
import { call, enforcing } from '../../support/caller.ts';
import { decision } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { NO_RULES, startEnforcement, startService } from '../../support/service.ts';
import { connected } from '../../support/wire.ts';

afterEach(closeAll);

const BODY = enforcing('[{"a":1}]');

/** A caller that keeps its connections, as long as it is allowed to. */
function keepingCaller(port: number) {
  const agent = new Agent({ keepAlive: true });
  stopLater(async () => agent.destroy());
  return async () => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { 'content-type': 'application/json' };
    request({ host: '127.0.0.1', port, agent, method: 'POST', path: '/enforce', headers }, resolve)
      .once('error', reject)
      .end(BODY);
    const answer = await promise;
    await buffer(answer);
    return { status: answer.statusCode, connection: answer.headers.connection };
  };
}

describe('a service that is asked to stop', () => {
  test('is at once not ready, and keeps serving, one answer a connection', async () => {
    const service = await startEnforcement();
    const enforce = keepingCaller(service.port);
    expect(await enforce()).toEqual({ status: 200, connection: 'keep-alive' });
    service.lifecycle.leave();
    const ready = await call(service.port, { method: 'GET', path: '/health/readiness' });
    expect(ready).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect((await call(service.port, { method: 'GET', path: '/health/liveness' })).status).toBe(200);
    expect(await enforce()).toEqual({ status: 200, connection: 'close' });
    expect(await enforce()).toEqual({ status: 200, connection: 'close' });
    await drain([service.server], service.lifecycle, { drainDelay: 0, drainTimeout: 10_000 });
    await expect(enforce()).rejects.toThrow('ECONNREFUSED');
  });

  test('finishes what is under way, and ends those connections', async () => {
    const pdp = await startHeldPdp();
    const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}` });
    const answer = keepingCaller(service.port)();
    await eventually(() => pdp.seen.asked > 0);
    const drained = drain([service.server], service.lifecycle, { drainDelay: 0, drainTimeout: 10_000 });
    await eventually(() => service.lifecycle.isDraining);
    pdp.answer(decision({}));
    expect(await answer).toEqual({ status: 200, connection: 'close' });
    expect(await drained).toBe(true);
  });

  test('cuts off what does not finish in time, and reports it', async () => {
    const pdp = await startHeldPdp();
    const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}` });
    const answer = call(service.port, { body: BODY });
    answer.catch(() => undefined);
    await eventually(() => pdp.seen.asked > 0);
    const { server, lifecycle } = service;
    expect(await drain([server], lifecycle, { drainDelay: 0, drainTimeout: 100 })).toBe(false);
    expect(service.logged).toContainEqual(expect.stringContaining('"callerGone":true'));
    await expect(answer).rejects.toThrow('socket hang up');
  });

  test('does not wait for connections on which nothing is under way', async () => {
    const service = await startEnforcement();
    const socket = await connected(service.port);
    const { server, lifecycle } = service;
    expect(await drain([server], lifecycle, { drainDelay: 0, drainTimeout: 10_000 })).toBe(true);
    socket.destroy();
  });

  test('does not wait for half a head, which may never become a request', async () => {
    const service = await startEnforcement();
    const socket = await connected(service.port);
    socket.write('POST /enforce HTTP/1.1\r\n');
    const { server, lifecycle } = service;
    expect(await drain([server], lifecycle, { drainDelay: 0, drainTimeout: 60_000 })).toBe(true);
    socket.destroy();
  });

  test('loses no request of callers that heed readiness, under load and over kept connections', async () => {
    const service = await startEnforcement({ ...NO_RULES, delay: 5 });
    let isRouted = true;
    const statuses: (number | undefined)[] = [];
    const caller = async (enforce: () => Promise<{ status: number | undefined }>): Promise<void> => {
      if (!isRouted) return;
      statuses.push((await enforce()).status);
      await caller(enforce);
    };
    const balancer = async (): Promise<void> => {
      const { status } = await call(service.port, { method: 'GET', path: '/health/readiness' });
      isRouted = status === 200;
      if (isRouted) await balancer();
    };
    const all = Promise.all([
      balancer(),
      ...Array.from({ length: 20 }, () => caller(keepingCaller(service.port))),
    ]);
    await eventually(() => statuses.length >= 100);
    const drained = drain([service.server], service.lifecycle, { drainDelay: 2000, drainTimeout: 15_000 });
    await all;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await drained).toBe(true);
  });
});
