import { readFile } from 'node:fs/promises';

const BYTES_PER_KB = 1024;

/** Memory that a process has resident, in bytes. */
interface Resident {
  readonly now: number;
  /** The most that it ever had. */
  readonly peak: number;
}

/** As Linux tells it; undefined elsewhere. */
export async function residentMemory(pid: number): Promise<Resident | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (status === undefined) return undefined;
  return { now: bytesIn(status, 'VmRSS'), peak: bytesIn(status, 'VmHWM') };
}

function bytesIn(status: string, name: string): number {
  const line = status.split('\n').find((one) => one.startsWith(`${name}:`)) ?? '';
  return Number(/\d+/u.exec(line)?.[0] ?? NaN) * BYTES_PER_KB;
}
