import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, freePort, stopLater } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENCE } from '../support/service.ts';
import { startLoad } from './load.ts';
import { killed, startServiceProcess, type ServiceProcess } from './service-process.ts';
import { MASKED, PAYLOAD } from './unruly-callers.ts';
import { PDP_FAULTS, startUnrulyPdp, type UnrulyPdp } from './unruly-pdp.ts';

afterEach(closeAll);

const CALLERS = 8;
/** How long a PDP that says nothing is waited for, in milliseconds. */
const SILENCE = 5000;
const TEN_YEARS = 10 * 365 * 24 * 3_600_000;

async function startPdp(): Promise<UnrulyPdp> {
  const pdp = await startUnrulyPdp();
  stopLater(pdp.close);
  return pdp;
}

async function onPdp(
  pdpTimeout = PATIENCE,
): Promise<{ readonly pdpUrl: string; readonly pdpTimeout: number }> {
  const { port } = await startPdp();
  return { pdpUrl: `127.0.0.1:${port}`, pdpTimeout };
}

function enforce({ port }: Pick<ServiceProcess, 'port'>, vendor: object = {}) {
  return call(port, { body: enforcing(PAYLOAD, { vendor }) });
}

async function enforcedAgainAndAgain(service: ServiceProcess, times: number): Promise<readonly string[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => enforce(service)));
  return answers.map(({ text }) => text).filter((text) => text !== MASKED);
}

describe('a log that cannot be written', () => {
  test('does not keep the service from its work: a log file on a full disk', async () => {
    const service = await startServiceProcess(await onPdp(), { args: ['--log-file', '/dev/full'] });
    expect(await enforcedAgainAndAgain(service, 50)).toEqual([]);
    expect(await call(service.port, { method: 'GET', path: '/health/liveness' })).toMatchObject({
      status: 200,
    });
  });

  test('does not keep the service from its work: standard output on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const service = await startServiceProcess(await onPdp(), { stdout: full });
    closeSync(full);
    expect(await enforcedAgainAndAgain(service, 50)).toEqual([]);
  });

  test('does not keep the service from its work: nobody reads standard output any more', async () => {
    const service = await startServiceProcess(await onPdp());
    service.child.stdout?.destroy();
    expect(await enforcedAgainAndAgain(service, 50)).toEqual([]);
    expect(await enforcedAgainAndAgain(service, 50)).toEqual([]);
  });

  test('does not keep the service from its work: the reader of standard output has stopped', async () => {
    const service = await startServiceProcess({ ...(await onPdp()), log: { level: 'debug' } });
    service.child.stdout?.pause();
    const rounds = Array.from({ length: 10 });
    const failed = await rounds.reduce<Promise<readonly string[]>>(
      async (before) => [...(await before), ...(await enforcedAgainAndAgain(service, 50))],
      Promise.resolve([]),
    );
    expect(failed).toEqual([]);
  });
});

describe.each([
  ['forwards', TEN_YEARS],
  ['backwards', -TEN_YEARS],
])('a wall clock that jumps %s', (_, clock) => {
  test('changes nothing about a request under way, nor about its deadline', async () => {
    const service = await startServiceProcess(await onPdp(SILENCE));
    const silent = enforce(service, { fault: 'says nothing' });
    await service.instruct({ clock });
    expect(await enforce(service)).toMatchObject({ status: 200, text: MASKED });
    expect(await silent).toMatchObject({ status: 504 });
  });

  test('changes nothing about the readiness of the service', async () => {
    const service = await startServiceProcess(await onPdp());
    await enforce(service);
    await service.instruct({ clock });
    expect(await call(service.port, { method: 'GET', path: '/health/readiness' })).toMatchObject({
      status: 200,
    });
  });
});

describe('a process that is ended under load', () => {
  test('by SIGTERM, loses no request of callers who go elsewhere when it is not ready, and exits with 0', async () => {
    const { port, child } = await startServiceProcess({ ...(await onPdp()), drainDelay: 1000 });
    const load = startLoad(port, CALLERS);
    await eventually(() => (load.outcomes.masked ?? 0) > 100);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await eventually(
      async () => (await call(port, { method: 'GET', path: '/health/readiness' })).status === 503,
    );
    await load.stop();
    expect(await ended).toEqual([0, null]);
    expect(Object.keys(load.outcomes)).toEqual(['masked']);
  });

  test('by SIGKILL, has answered only masked payloads, and works as before when it is back', async () => {
    const written = { ...(await onPdp()), port: await freePort() };
    const first = await startServiceProcess(written);
    const load = startLoad(first.port, CALLERS);
    await eventually(() => (load.outcomes.masked ?? 0) > 100);
    await killed(first.child);
    const before = load.outcomes.masked ?? 0;
    await startServiceProcess(written);
    await eventually(() => (load.outcomes.masked ?? 0) > before + 100);
    await load.stop();
    expect(Object.keys(load.outcomes)).not.toContain('something else');
    expect(Object.keys(load.outcomes).filter((outcome) => outcome.startsWith('problem'))).toEqual([]);
  });

  test('by SIGTERM while the PDP fails in every way, exits with 0', async () => {
    const service = await startServiceProcess({ ...(await onPdp(SILENCE)), pdpBreaker: { enabled: false } });
    const answers = PDP_FAULTS.map(({ name }) => enforce(service, { fault: name }).catch(() => undefined));
    const ended = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect((await Promise.all(answers)).filter((answer) => answer?.status === 200)).toEqual([]);
  });
});
