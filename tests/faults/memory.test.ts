import { afterEach, expect, test } from '@jest/globals';
import _ from 'lodash';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { play } from './faulty-call.ts';
import { startServiceProcess, type ServiceProcess } from './service-process.ts';
import { CALLER_FAULTS, PAYLOAD } from './unruly-callers.ts';
import { PDP_FAULTS, startUnrulyPdp } from './unruly-pdp.ts';

afterEach(closeAll);

const FAULTS = 10_000;
const WARM_UP = 2000;
const AT_ONCE = 16;
const MEGABYTE = 1024 * 1024;
/** Far below what ten thousand of anything would leave behind; caches and compiled code come and go within it. */
const TOLERANCE = 8 * MEGABYTE;

/** Left out, as they cost the caller and the PDP more than the service. */
const LARGE: ReadonlySet<string> = new Set(['sends too much', 'sends a gzip bomb', 'nests without end']);

type Fault = (service: ServiceProcess) => Promise<unknown>;

const SMALL: readonly Fault[] = [
  ...CALLER_FAULTS.filter(({ name }) => !LARGE.has(name)).map(
    (fault): Fault =>
      ({ port }) =>
        play(port, fault),
  ),
  ...PDP_FAULTS.filter(({ name }) => !LARGE.has(name)).map(
    ({ name }): Fault =>
      ({ port }) =>
        call(port, { body: enforcing(PAYLOAD, { vendor: { fault: name } }) }),
  ),
];

test('ten thousand faults leave nothing in the memory of the service', async () => {
  const pdp = await startUnrulyPdp();
  stopLater(pdp.close);
  const service = await startServiceProcess({
    pdpUrl: `127.0.0.1:${pdp.port}`,
    pdpTimeout: 50,
    pdpBreaker: { enabled: false },
    log: { level: 'error' },
  });
  await commit(service, WARM_UP);
  const before = await service.instruct();
  await commit(service, FAULTS);
  const after = await service.instruct();
  expect(after.heapUsed - before.heapUsed).toBeLessThan(TOLERANCE);
  expect(after.external - before.external).toBeLessThan(TOLERANCE);
  expect(after.resources.length).toBeLessThan(before.resources.length + AT_ONCE);
}, 600_000);

/** Commits so many faults, some of them at once. */
async function commit(service: ServiceProcess, count: number): Promise<void> {
  const faults = _.times(count, (i) => SMALL[i % SMALL.length]).values();
  await Promise.all(_.times(AT_ONCE, () => commitEach(service, faults)));
}

async function commitEach(service: ServiceProcess, faults: Iterator<Fault | undefined>): Promise<void> {
  for (let next = faults.next(); next.done !== true; next = faults.next()) {
    // oxlint-disable-next-line no-await-in-loop -- the next one begins where this one ends
    await next.value?.(service);
  }
}
