import { setTimeout as wait } from 'node:timers/promises';
import { lookAt, untilQuiet, type Sight } from './quiet.ts';

/** How often the files are looked at, in milliseconds. */
const INTERVAL = 1000;

/** Files that are being watched. */
export interface FileWatch {
  close(): void;
}

interface WatchOptions {
  /** How often the files are looked at, in milliseconds. */
  readonly interval?: number | undefined;
  /** What was seen of the files when they were read; that of now if it is left out. `changed` calls back once in any case. */
  readonly seen?: Sight | 'changed' | undefined;
  /** Whether the process goes on as long as the files are watched. */
  readonly keepsRunning?: boolean;
}

/**
 * Watches files, and does not keep the process running for it unless it is asked to.
 *
 * It polls each path: Kubernetes replaces a symbolic link when a mounted secret changes, and editors replace the file.
 * File system events report neither reliably.
 *
 * @param onChange called after changes, when nobody writes to any of the files any more, with what was seen of them then. The
 *   next change is looked for when it is done.
 */
export function watchFiles(
  paths: readonly string[],
  onChange: (seen: Sight) => Promise<void> | void,
  { interval = INTERVAL, seen, keepsRunning = false }: WatchOptions = {},
): FileWatch {
  if (paths.length === 0) return { close: () => undefined };
  const ending = new AbortController();
  const pause = (milliseconds: number): Promise<void> =>
    wait(milliseconds, undefined, { ref: keepsRunning, signal: ending.signal });
  const look = (): Promise<Sight> => lookAt(paths);
  const follow = async (): Promise<void> => {
    let last = seen ?? (await look());
    // oxlint-disable no-await-in-loop -- one look after the other, for as long as the files are watched
    for (;;) {
      if (last !== 'changed') await pause(interval);
      const now = await look();
      if (last !== 'changed' && now.state === last.state) continue;
      last = await untilQuiet(now, { paths, look, pause });
      ending.signal.throwIfAborted();
      await onChange(last);
    }
    // oxlint-enable no-await-in-loop
  };
  void follow().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return { close: () => ending.abort() };
}
