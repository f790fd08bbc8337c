/**
 * Serves mixed load with faults for a while: `make soak`, or `SECONDS=60 node scripts/soak.ts`. Callers that behave go on
 * and on, and beside them every fault that callers and PDPs are known for. It is all on loopback. Prints a report, which
 * it also writes to build/soak-report.md, and exits with 1 where a request was lost, a fault was not answered as
 * documented, or memory grew.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { startFaults } from '../tests/faults/fault-load.ts';
import type { Measurement } from '../tests/faults/instructions.ts';
import { startLoad } from '../tests/faults/load.ts';
import { startServiceProcess, type ServiceProcess } from '../tests/faults/service-process.ts';
import { startUnrulyPdp } from '../tests/faults/unruly-pdp.ts';
import { closeAll, stopLater } from '../tests/pdp/transport/setup.ts';
import { findings, soakReport, type Soak } from './soak/report.ts';

const SECONDS = Number(process.env['SECONDS'] || 600);
const REPORT = 'build/soak-report.md';
const CALLERS = 4;
const FAULTS = 4;
const MEASUREMENTS = 31;
/** The part of the time in which the service warms up: code is compiled, caches fill. */
const WARM_UP = 0.1;

async function soak(): Promise<Soak> {
  const service = await startService();
  const start = performance.now();
  const load = startLoad(service.port, CALLERS);
  const { seen, stop } = startFaults(service.port, FAULTS);
  await wait(SECONDS * WARM_UP * 1000);
  const memory = await measured(service, SECONDS * (1 - WARM_UP));
  await Promise.all([load.stop(), stop()]);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, outcomes: load.outcomes, faults: seen.count, wrongFaults: seen.wrong, memory };
}

async function startService(): Promise<ServiceProcess> {
  const pdp = await startUnrulyPdp();
  stopLater(pdp.close);
  return startServiceProcess({
    pdpUrl: `127.0.0.1:${pdp.port}`,
    pdpTimeout: 1000,
    // Half of what the PDP does here is a fault: the breaker would keep everybody from it.
    pdpBreaker: { enabled: false },
    log: { level: 'error' },
  });
}

async function measured(service: ServiceProcess, seconds: number): Promise<readonly Measurement[]> {
  const memory: Measurement[] = [];
  while (memory.length < MEASUREMENTS) {
    // oxlint-disable-next-line no-await-in-loop -- at intervals
    memory.push(await service.instruct());
    // oxlint-disable-next-line no-await-in-loop
    await wait((seconds * 1000) / MEASUREMENTS);
  }
  return memory;
}

const result = await soak();
await closeAll();
await mkdir('build', { recursive: true });
await writeFile(REPORT, soakReport(result));
process.stdout.write(`${soakReport(result)}\nWritten to ${REPORT}\n`);
process.exitCode = findings(result).length > 0 ? 1 : 0;
