/**
 * Measures the service under load: `node scripts/measure.ts [CALLERS] [KILOBYTES] [SECONDS] [PDP_MS]`. So many callers enforce
 * payloads of that size without a pause, against a PDP that takes that long; health is asked meanwhile, each time over a new
 * connection. Prints what came of it; `docs/decisions` has the numbers that the limits were chosen by.
 */
import process from 'node:process';
import { enforceUntil } from './measure/callers.ts';
import { probeFor } from './measure/probe.ts';
import { startMeasuredService } from './measure/service.ts';
import { percentiles } from './measure/percentiles.ts';

const [callers = 16, kilobytes = 4000, seconds = 10, pdpMs = 5] = process.argv.slice(2).map(Number);

const service = await startMeasuredService(pdpMs);
const end = performance.now() + seconds * 1000;
const [enforced, health] = await Promise.all([
  enforceUntil(end, { port: service.port, callers, bytes: kilobytes * 1000 }),
  probeFor(seconds * 1000, service.port),
]);
const { peak } = await service.stop();
const report = {
  callers,
  kilobytes,
  pdpMs,
  'answers a second': Math.round(enforced.answered.length / seconds),
  refused: enforced.refused,
  'enforce, ms': percentiles(enforced.answered),
  'health, ms': percentiles(health),
  'peak memory, MB': Math.round(peak / 1e6),
};
process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
