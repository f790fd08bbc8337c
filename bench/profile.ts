/**
 * Profiles the core: `node bench/profile.ts [PAYLOAD] [KILOBYTES] [RULES] [SECONDS]`, by default customers of 400 KB, 20 rules,
 * 5 seconds. Prints where the time goes, and writes `build/bench/core.cpuprofile`, which browsers and editors open.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import path from 'node:path';
import { KB } from './core/cases.ts';
import { enforceCore } from './core/core.ts';
import { masks } from './payloads/decision.ts';
import { PAYLOADS } from './payloads/payload.ts';

const OUTPUT = 'build/bench/core.cpuprofile';
const SHOWN = 20;

/** In microseconds. */
const SAMPLING_INTERVAL = 200;

const [kind = 'customers', kilobytes = '400', rules = '20', seconds = '5'] = process.argv.slice(2);

function payloadOf(name: string): Buffer {
  const payload = Object.entries(PAYLOADS).find(([known]) => known === name)?.[1];
  if (payload === undefined) throw new Error(`${name} is none of ${Object.keys(PAYLOADS).join(', ')}`);
  return Buffer.from(payload(Number(kilobytes) * KB));
}

function workFor(milliseconds: number, bytes: Buffer, decision: Buffer): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) enforceCore(bytes, decision);
}

async function profileOf(work: () => void): Promise<Profiler.Profile> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL });
  await session.post('Profiler.start');
  work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return profile;
}

/** How many samples were taken in each function itself, most first. */
function samplesByFunction({ nodes, samples = [] }: Profiler.Profile): [name: string, count: number][] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const counts = new Map<string, number>();
  for (const sample of samples) {
    const name = names.get(sample) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

function nameOf({ functionName, url, lineNumber }: Profiler.Profile['nodes'][number]['callFrame']): string {
  const place = url === '' ? '' : ` (${path.relative('.', url.replace('file://', ''))}:${lineNumber + 1})`;
  return `${functionName || 'anonymous'}${place}`;
}

const bytes = payloadOf(kind);
const decision = Buffer.from(masks(Number(rules)));
workFor(1000, bytes, decision);
const profile = await profileOf(() => workFor(Number(seconds) * 1000, bytes, decision));
const total = profile.samples?.length ?? 1;
for (const [name, count] of samplesByFunction(profile).slice(0, SHOWN)) {
  process.stdout.write(`${((count / total) * 100).toFixed(1).padStart(5)} %  ${name}\n`);
}
mkdirSync(path.dirname(OUTPUT), { recursive: true });
writeFileSync(OUTPUT, JSON.stringify(profile));
process.stdout.write(`\nWritten to ${OUTPUT}.\n`);
