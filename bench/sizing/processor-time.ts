import { readFile } from 'node:fs/promises';

/** Clock ticks a second in `/proc`, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Where the fields begin that count user and system time, after the name in parentheses (proc_pid_stat(5)). */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/**
 * The processor time that a process and its children took so far.
 *
 * @returns milliseconds; undefined if the system is not Linux
 */
export async function processorTime(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const ofChildren = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(processorTime));
  return (ticks / TICKS_PER_SECOND) * 1000 + ofChildren.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}
