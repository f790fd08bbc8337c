import { unwatchFile, watchFile } from 'node:fs';

/** How often the files are looked at, in milliseconds. */
const INTERVAL = 5000;

/** Files that are being watched. */
export interface FileWatch {
  close(): void;
}

/**
 * Watches files, and does not keep the process running for it.
 *
 * It looks at each path again and again: a mounted secret of Kubernetes is exchanged by a symbolic link and an editor puts
 * a new file in the place of the old one, neither of which the events of a file system tell of reliably.
 *
 * @param onChange called for each path that changed. Where several change together, not all of them may be written yet
 *   when it is called first, so that what it finds may not fit together until it is called again.
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
