import process from 'node:process';
import { ServiceError } from '../errors.ts';

/** How much processor time a payload may take, in milliseconds: so much, and more for each byte. An ordinary one takes a hundredth of it. */
const LEAST = 1000;
const PER_BYTE = 500 / (1024 * 1024);

/**
 * Counts the processor time of an enforcement, and ends it if that is too much: while it is in progress, no other one is. What other
 * processes do in the meantime does not count, nor what happens in pauses.
 */
export class ProcessorTime {
  readonly #limit: number;
  #used = 0;
  #since = process.threadCpuUsage();

  /** @param size of the payload, in bytes */
  constructor(size: number) {
    this.#limit = LEAST + size * PER_BYTE;
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
    `To enforce the decision on the payload would take more than ${(limit / 1000).toFixed(1)} s of processor time.`,
  );
}
