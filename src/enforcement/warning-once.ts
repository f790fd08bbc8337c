import type { Log } from './ports.ts';

/** Warnings that were given: the same about many payloads is one line, that about the first. */
export class GivenWarnings {
  readonly #messages = new Set<string>();

  /** A log that leaves out the warnings that were given before. */
  through(log: Log): Log {
    return {
      info: (message, fields) => log.info(message, fields),
      warn: (message, fields) => {
        if (this.#messages.has(message)) return;
        this.#messages.add(message);
        log.warn(message, fields);
      },
    };
  }
}

/** The log of many payloads of one answer or one run. */
export function warningOnce(log: Log): Log {
  return new GivenWarnings().through(log);
}
