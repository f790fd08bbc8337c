import process from 'node:process';
import { ServiceError } from '../errors.ts';

/** The processor time that a payload may take, in milliseconds: an ordinary one takes a hundredth of it. */
export const PROCESSOR_TIME = { least: 1000, perMegabyte: 500 };

const MEGABYTE = 1024 * 1024;

/**
 * Counts the processor time of an enforcement, and ends the enforcement if it takes too much: all others wait until it is done. The time
 * of other processes and of pauses does not count.
 */
export class ProcessorTime {
  readonly #limit: number;
  #used = 0;
  #since = process.threadCpuUsage();

  /** @param size of the payload, in bytes */
  constructor(size: number) {
    this.#limit = PROCESSOR_TIME.least + (size / MEGABYTE) * PROCESSOR_TIME.perMegabyte;
  }

  /** @throws ServiceError `enforcement-too-costly` if it was too much so far */
  pause(): void {
    const { user, system } = process.threadCpuUsage(this.#since);
    this.#used += (user + system) / 1000;
    if (this.#used > this.#limit) throw tooCostly(this.#limit);
  }

  resume(): void {
    this.#since = process.threadCpuUsage();
  }
}

function tooCostly(limit: number): ServiceError {
  return new ServiceError(
    'enforcement-too-costly',
    `The payload takes more than ${(limit / 1000).toFixed(1)} s of processor time to enforce.`,
  );
}
