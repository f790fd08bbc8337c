import type { Log } from './ports.ts';

/** The log of many payloads of one answer or one run: the same warning about each of them is one line, that about the first. */
export function warningOnce(log: Log): Log {
  const warned = new Set<string>();
  return {
    info: (message, fields) => log.info(message, fields),
    warn(message, fields) {
      if (warned.has(message)) return;
      warned.add(message);
      log.warn(message, fields);
    },
  };
}
