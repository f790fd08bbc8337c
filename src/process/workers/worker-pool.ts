import cluster, { type Worker } from 'node:cluster';
import type { Logger } from '../../telemetry/log/index.ts';
import { Backoff } from './backoff.ts';
import { HURRY, LOG_AS_CONFIGURED, LOG_EVERYTHING, REOPEN_LOG, STOP } from './orders.ts';
import process from 'node:process';
import { isSea } from 'node:sea';
import lodash from 'lodash';

/** How much longer than it should take a worker may take to end. Milliseconds. */
const GRACE = 2000;

/** What a worker's end looks like: the exit code or the signal, each null where it is the other. */
type Exit = readonly [code: number | null, signal: string | null];

interface WorkerPoolOptions {
  /** How long a worker may finish what is under way, in milliseconds. */
  readonly drainTimeout: number;
  readonly log: Logger;
}

/** Several processes that run this program and share its port. */
export interface WorkerPool {
  /** Which port they listen on; undefined where none of them came to listen. */
  readonly port: number | undefined;
  /** Resolves once each of so many listens, or has died trying. */
  start(count: number): Promise<void>;
  /**
   * Has each finish what is under way and end; kills those that do not.
   *
   * @returns whether nothing had to be cut off
   */
  stop(): Promise<boolean>;
  /** Has each stop without waiting until callers have gone elsewhere. */
  hurry(): void;
  /** Whether any of them listens. */
  readonly isListening: boolean;
  reopenLogs(): void;
  /** Has each log everything, or only what is configured again. */
  setDebug(on: boolean): void;
}

/** Workers that are started again when they die, and not started yet. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { exec, args } = ownProgram();
  cluster.setupPrimary({ exec, args: [...args] });
  return new RestartingPool(options);
}

class RestartingPool implements WorkerPool {
  port: number | undefined;
  readonly #log: Logger;
  readonly #drainTimeout: number;
  readonly #backoff = new Backoff();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** Those that run, each with its end. */
  readonly #workers = new Map<Worker, Promise<Exit>>();
  readonly #listening = new Set<Worker>();
  #stopping = false;
  #isDebugging = false;

  constructor({ log, drainTimeout }: WorkerPoolOptions) {
    this.#log = log;
    this.#drainTimeout = drainTimeout;
  }

  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#startOne()));
  }

  async stop(): Promise<boolean> {
    this.#stopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const workers = [...this.#workers];
    const codes = await Promise.all(workers.map(([worker, dead]) => this.#retire(worker, dead)));
    return codes.every((code) => code === 0);
  }

  hurry(): void {
    for (const worker of this.#workers.keys()) worker.send(HURRY);
  }

  get isListening(): boolean {
    return this.#listening.size > 0;
  }

  reopenLogs(): void {
    for (const worker of this.#workers.keys()) worker.send(REOPEN_LOG);
  }

  setDebug(on: boolean): void {
    this.#isDebugging = on;
    for (const worker of this.#workers.keys()) worker.send(on ? LOG_EVERYTHING : LOG_AS_CONFIGURED);
  }

  /** Resolves when the worker listens, or is dead. */
  async #startOne(): Promise<void> {
    const born = performance.now();
    const worker = cluster.fork();
    closeUntaken(worker);
    const dead = this.#untilDeath(worker);
    this.#workers.set(worker, dead);
    void dead.then((exit) => this.#bury(worker, exit, performance.now() - born));
    await Promise.race([this.#untilListening(worker), dead]);
  }

  async #untilListening(worker: Worker): Promise<void> {
    this.port = await new Promise<number>((resolve) => {
      worker.once('listening', ({ port }) => resolve(port));
    });
    this.#listening.add(worker);
    if (this.#isDebugging) worker.send(LOG_EVERYTHING);
    this.#log.info('Worker listening', { pid: worker.process.pid });
  }

  async #untilDeath(worker: Worker): Promise<Exit> {
    return new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => resolve([code, signal]));
      worker.on('error', (error) => {
        this.#log.warn('Worker error', { pid: worker.process.pid, error });
        // A process that could not even be created never exits.
        if (worker.process.pid === undefined) resolve([null, null]);
      });
    });
  }

  #bury(worker: Worker, [code, signal]: Exit, life: number): void {
    this.#workers.delete(worker);
    this.#listening.delete(worker);
    if (this.#stopping) return;
    const delay = this.#backoff.delayAfter(life);
    this.#log.error('Worker died', { pid: worker.process.pid, code, signal, restartInMs: delay });
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      void this.#startOne();
    }, delay);
    this.#restarts.add(restart);
  }

  /** @returns its exit code; null where it was killed */
  async #retire(worker: Worker, dead: Promise<Exit>): Promise<number | null> {
    const limit = setTimeout(() => {
      this.#log.warn('Worker killed: not finished within drainTimeout', { pid: worker.process.pid });
      worker.process.kill('SIGKILL');
    }, this.#drainTimeout + GRACE);
    worker.send(STOP);
    const [code] = await dead;
    clearTimeout(limit);
    return code;
  }
}

/** What `cluster` has to run for a worker. */
interface Program {
  readonly exec: string;
  readonly args: readonly string[];
}

/** This very program, with the arguments that this process was started with. */
function ownProgram(): Program {
  const [, script = '', ...args] = process.argv;
  if (!isSea()) return { exec: script, args };
  // A single executable has no script: what stands in the place of one is its first argument.
  const [first = '', ...others] = args;
  return { exec: first, args: others };
}

/**
 * Closes the connections that were handed to a worker which died before it took them. Node forgets them, so their callers
 * would wait for ever. Node's messages carry a number, `seq`, which the worker acknowledges as `ack`.
 */
function closeUntaken({ process: child }: Worker): void {
  const untaken = new Map<unknown, unknown>();
  const original: unknown = Reflect.get(child, 'send');
  const follow = (...parts: readonly unknown[]): unknown => {
    const [message, handle] = parts;
    if (lodash.get(message, 'act') === 'newconn') untaken.set(lodash.get(message, 'seq'), handle);
    return lodash.invoke(original, 'apply', child, parts);
  };
  Reflect.set(child, 'send', follow);
  child.on('internalMessage', (message: unknown) => untaken.delete(lodash.get(message, 'ack')));
  child.once('exit', () => untaken.forEach((handle) => void lodash.invoke(handle, 'close')));
}
