import { statSync, unwatchFile, watchFile } from 'node:fs';

/** How often the files are looked at, in milliseconds. */
const INTERVAL = 5000;

/** Files that are being watched. */
export interface FileWatch {
  close(): void;
}

/** Files that are read when nobody writes to them any more. */
interface SettledWatch extends FileWatch {
  /** Calls back as after a change. */
  look(): void;
}

/**
 * Watches files, and does not keep the process running for it.
 *
 * It polls each path: Kubernetes replaces a symbolic link when a mounted secret changes, and editors replace the file.
 * File system events report neither reliably.
 *
 * @param onChange called for each path that changed. If several change together, not all of them may be written yet at
 *   the first call, so that they may not fit together until the next one.
 * @param interval milliseconds
 */
export function watchFiles(paths: readonly string[], onChange: () => void, interval = INTERVAL): FileWatch {
  const listener = (): void => onChange();
  for (const path of paths) watchFile(path, { interval, persistent: false }, listener);
  return {
    close() {
      for (const path of paths) unwatchFile(path, listener);
    },
  };
}

/** How long a file has to be left alone before its text counts as whole, in milliseconds. */
const QUIET = 250;

/**
 * Watches files as {@link watchFiles} does, and waits after a change until they are no longer being written: half a text
 * may be a valid one that says less.
 *
 * @param onChange called once for changes that come together
 * @param interval milliseconds
 */
export function watchSettledFiles(
  paths: readonly string[],
  onChange: () => void,
  interval = INTERVAL,
): SettledWatch {
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    timer = undefined;
    if (!paths.some(isBeingWritten)) return onChange();
    timer = setTimeout(settle, QUIET).unref();
  };
  const startSettling = (): void => {
    if (timer === undefined) settle();
  };
  const watch = watchFiles(paths, startSettling, interval);
  return {
    look: startSettling,
    close() {
      watch.close();
      clearTimeout(timer);
    },
  };
}

/** The time of a file has parts of milliseconds and may come from another machine: it may be ahead a little. */
function isBeingWritten(path: string): boolean {
  const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Math.abs(Date.now() - mtimeMs) < QUIET;
}
