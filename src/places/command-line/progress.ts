import type { Writable } from 'node:stream';

/** Runs that take less are not reported, in milliseconds. */
const PATIENCE = 2000;
/** How often the report changes, in milliseconds. */
const INTERVAL = 500;
const MEGABYTE = 1_000_000;
const CLEAR_LINE = '\r\u001B[K';

/** Shows the progress of a long run at a terminal. */
export interface Progress {
  /**
   * Counts one more finished record.
   *
   * @param bytes the length of the record
   */
  add(bytes: number): void;
  end(): void;
}

/**
 * Reports on one line of a terminal, from the time on that a run is long.
 *
 * @param now a clock, in milliseconds
 */
export function progressOn(terminal: Writable & { readonly isTTY?: boolean }, now = Date.now): Progress {
  let records = 0;
  let bytes = 0;
  let due = now() + PATIENCE;
  let isShown = false;
  const show = (): void => {
    isShown = true;
    due = now() + INTERVAL;
    terminal.write(
      `${CLEAR_LINE}${records.toLocaleString('en')} records, ${Math.floor(bytes / MEGABYTE)} MB`,
    );
  };
  return {
    add(more) {
      records += 1;
      bytes += more;
      if (terminal.isTTY === true && now() >= due) show();
    },
    end() {
      if (isShown) terminal.write(CLEAR_LINE);
    },
  };
}
