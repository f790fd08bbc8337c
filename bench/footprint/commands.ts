import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Footprint } from '../report/results.ts';

const POLICIES = 'examples/policies/demo.yaml';
const PAYLOAD = 'examples/payloads/customers.json';

/** The first argument says how often the others run; POSIX has a shell tell the time of what it ran, at last and on a line. */
const LOOP = 'n=$1; shift; while [ $n -gt 0 ]; do "$@" > /dev/null || exit 1; n=$((n-1)); done; times';
/** How often a command runs for one measurement: a shell tells hundredths of a second. */
const REPEATS = 5;

/**
 * Measures the processor time of short commands, the least of several rounds, against a process that does nothing.
 *
 * @param entry what runs: `dist/main.js`
 */
export function measureCommands(entry: string, rounds: number): Footprint['commands'] {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
  const config = path.join(folder, 'config.yaml');
  writeFileSync(config, 'port: 5002\npdpUrl: http://127.0.0.1:8181\nattrName: column\n');
  const commands: Readonly<Record<string, readonly string[]>> = {
    'node -e 0': ['-e', '0'],
    '--version': [entry, '--version'],
    '--check': [entry, '-c', config, '--check'],
    enforce: [entry, 'enforce', '-p', POLICIES, '--as', 'Agent/jane', PAYLOAD],
  };
  const least = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, args] of Object.entries(commands))
      least.set(name, Math.min(least.get(name) ?? Infinity, processorTimeOf(args)));
  rmSync(folder, { recursive: true });
  const bare = least.get('node -e 0') ?? NaN;
  return Array.from(least, ([name, cpu]) => ({ name, cpu, ratio: cpu / bare }));
}

/** @returns milliseconds a run */
function processorTimeOf(args: readonly string[]): number {
  const shell = ['-c', LOOP, 'sh', String(REPEATS), process.execPath, ...args];
  const [, ofChildren = ''] = execFileSync('sh', shell, { encoding: 'utf8' }).split('\n');
  const times = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/gu)];
  const seconds = times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  return (seconds / REPEATS) * 1000;
}
