import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

/** How long files have to be left alone before their texts count as whole, in milliseconds: half a text may be a valid one that says less. */
const QUIET = 250;
/** The same at the start, where somebody waits for it. */
const QUIET_AT_START = 100;
/** After so long, somebody should know what is waited for, in milliseconds. */
const LONG = 10_000;

/** What was seen of files at one time. */
export interface Sight {
  /** The same if nobody wrote to a file or replaced it in between. */
  readonly state: string;
  /** When somebody last did, in milliseconds since 1970; 0 if the file is missing. The clock may be that of another machine. */
  readonly changedAt: number;
}

/** What {@link untilQuiet} does in the world. */
interface Watching {
  readonly paths: readonly string[];
  readonly look: () => Promise<Sight>;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Looks at files. A file that cannot be looked at is not being written. */
export async function lookAt(paths: readonly string[]): Promise<Sight> {
  const files = await Promise.all(paths.map(lookAtOne));
  return {
    state: files.map(({ state }) => state).join('\n'),
    changedAt: files.reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0),
  };
}

/** The state of a pipe or a device changes by itself. */
async function lookAtOne(path: string): Promise<Sight> {
  try {
    // An `import` would have each command load what only the service needs.
    const { stat } = process.getBuiltinModule('node:fs/promises');
    const stats = await stat(path, { bigint: true });
    if (!stats.isFile()) return { state: `no file ${stats.ino}`, changedAt: 0 };
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = stats;
    const changedAt = Math.max(Number(mtimeMs), Number(ctimeMs));
    return { state: [dev, ino, size, mtimeNs, ctimeNs].join(' '), changedAt };
  } catch {
    return { state: 'unseen', changedAt: 0 };
  }
}

/** Whether somebody may be writing to the files at the start, by the clock of their file system. */
export function mayBeBeingWritten({ changedAt }: Sight): boolean {
  return Date.now() - changedAt < QUIET_AT_START;
}

/**
 * Waits at the start until nobody writes to the files. It does not wait for files that are old enough by their times, as most are. A
 * time in the future comes from another clock, so it waits as long as while the service runs.
 */
export async function whenQuiet(paths: readonly string[]): Promise<Sight> {
  const look = (): Promise<Sight> => lookAt(paths);
  const sight = await look();
  if (!mayBeBeingWritten(sight)) return sight;
  const age = Date.now() - sight.changedAt;
  return untilQuiet(sight, { paths, look, pause: wait }, age > 0 ? QUIET_AT_START - age : QUIET);
}

/**
 * Looks again and again until nothing has changed for a while. It compares what it sees, because the clock of a file system may
 * be that of another machine. Once it has waited for long, it warns the process.
 *
 * @param first what was seen just now
 * @param left how long the files have to be left alone from now on, in milliseconds; longer if they are not
 */
export async function untilQuiet(
  first: Sight,
  { paths, look, pause }: Watching,
  left = QUIET,
): Promise<Sight> {
  let before = first;
  let waited = 0;
  // oxlint-disable no-await-in-loop -- one look after the other, for as long as somebody writes
  for (let milliseconds = left; ; milliseconds = QUIET) {
    await pause(milliseconds);
    const now = await look();
    if (now.state === before.state) return now;
    before = now;
    const isLong = waited < LONG && waited + milliseconds >= LONG;
    waited += milliseconds;
    if (isLong) warnOf(paths);
  }
  // oxlint-enable no-await-in-loop
}

function warnOf(paths: readonly string[]): void {
  const what = `Something has been writing to ${paths.join(', ')} for ${LONG / 1000} seconds`;
  process.emitWarning(`${what}. It is read once nothing has for ${QUIET} ms.`, 'FileWarning');
}
