import cluster, { type Worker } from 'node:cluster';
import type { Logger } from '../../telemetry/log/index.ts';
import { Backoff } from './backoff.ts';
import { HURRY, LOG_AS_CONFIGURED, LOG_EVERYTHING, READY, REOPEN_LOG, STOP } from './orders.ts';
import process from 'node:process';
import { isSea } from 'node:sea';
import lodash from 'lodash';

/** How long a worker may take to end beyond `drainTimeout`, in milliseconds. */
const GRACE = 2000;

/** How a worker ended: its exit code or its signal; the other one is null. */
type Exit = readonly [code: number | null, signal: string | null];

interface WorkerPoolOptions {
  /** Of the configuration file, in hexadecimal: no worker is to start with another one. */
  readonly configSha256: string | undefined;
  /** How long a worker may finish what is under way, in milliseconds. */
  readonly drainTimeout: number;
  readonly log: Logger;
}

/** Workers that are being started. */
interface Starting {
  /** Resolves once one of them listens, or all have ended. */
  readonly any: Promise<void>;
  /** Resolves once each of them listens or has ended. */
  readonly all: Promise<void>;
}

/** Several processes that run this program and share its port. */
export interface WorkerPool {
  /** The port of the workers; undefined if none of them came to listen. */
  readonly port: number | undefined;
  /** Starts workers. */
  start(count: number): Starting;
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

/** A pool without workers yet. It starts a worker again if it dies. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { exec, args } = ownProgram(options.configSha256);
  cluster.setupPrimary({ exec, args: [...args] });
  return new RestartingPool(options);
}

class RestartingPool implements WorkerPool {
  port: number | undefined;
  readonly #log: Logger;
  readonly #drainTimeout: number;
  readonly #backoff = new Backoff();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** The running workers, each with its end. */
  readonly #workers = new Map<Worker, Promise<Exit>>();
  readonly #listening = new Set<Worker>();
  /** Until a worker listens for the first time. */
  readonly #first = Promise.withResolvers<void>();
  #stopping = false;
  #isDebugging = false;

  constructor({ log, drainTimeout }: WorkerPoolOptions) {
    this.#log = log;
    this.#drainTimeout = drainTimeout;
  }

  start(count: number): Starting {
    const each = Array.from({ length: count }, () => this.#startOne());
    const all = Promise.all(each).then(() => undefined);
    return { any: Promise.race([this.#first.promise, all]), all };
  }

  async stop(): Promise<boolean> {
    this.#stopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const workers = [...this.#workers];
    const codes = await Promise.all(workers.map(([worker, exited]) => this.#stopOne(worker, exited)));
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

  /** Resolves when the worker listens on all its ports or has ended. */
  async #startOne(): Promise<void> {
    const startedAt = performance.now();
    const worker = cluster.fork();
    closeUndelivered(worker);
    const exited = this.#untilExit(worker);
    this.#workers.set(worker, exited);
    void exited.then((exit) => this.#handleExit(worker, exit, performance.now() - startedAt));
    await Promise.race([this.#untilListening(worker), exited]);
  }

  /** Until all ports of a worker are open: the first is that of the service, those of other places follow. */
  async #untilListening(worker: Worker): Promise<void> {
    const listening = new Promise<number>((resolve) => {
      worker.once('listening', ({ port }) => resolve(port));
    });
    const ready = new Promise<void>((resolve) => {
      worker.on('message', (message) => void (message === READY && resolve()));
    });
    [this.port] = await Promise.all([listening, ready]);
    this.#listening.add(worker);
    this.#first.resolve();
    if (this.#isDebugging) worker.send(LOG_EVERYTHING);
    this.#log.info('Worker listening', { pid: worker.process.pid });
  }

  async #untilExit(worker: Worker): Promise<Exit> {
    return new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => resolve([code, signal]));
      worker.on('error', (error) => {
        this.#log.warn('Worker error', { pid: worker.process.pid, error });
        // A process that could not even be created never exits.
        if (worker.process.pid === undefined) resolve([null, null]);
      });
    });
  }

  #handleExit(worker: Worker, [code, signal]: Exit, uptime: number): void {
    this.#workers.delete(worker);
    this.#listening.delete(worker);
    if (this.#stopping) return;
    const delay = this.#backoff.delayAfter(uptime);
    this.#log.error('Worker died', { pid: worker.process.pid, code, signal, restartInMs: delay });
    this.#restartAfter(delay);
  }

  #restartAfter(delay: number): void {
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      void this.#restartOne();
    }, delay);
    this.#restarts.add(restart);
  }

  /** What cannot even be created, such as for want of memory, is tried again. */
  async #restartOne(): Promise<void> {
    try {
      await this.#startOne();
    } catch (error) {
      const delay = this.#backoff.delayAfter(0);
      this.#log.error('Worker not started', { error, restartInMs: delay });
      this.#restartAfter(delay);
    }
  }

  /** Stops a worker. @returns its exit code; null if it was killed */
  async #stopOne(worker: Worker, exited: Promise<Exit>): Promise<number | null> {
    const limit = setTimeout(() => {
      this.#log.warn('Worker killed: not finished within drainTimeout', { pid: worker.process.pid });
      worker.process.kill('SIGKILL');
    }, this.#drainTimeout + GRACE);
    worker.send(STOP);
    const [code] = await exited;
    clearTimeout(limit);
    return code;
  }
}

/** What `cluster` has to run for a worker. */
interface Program {
  readonly exec: string;
  readonly args: readonly string[];
}

/** This very program, with the arguments that this process was started with, and the configuration that it has read. */
function ownProgram(configSha256: string | undefined): Program {
  const [, script = '', ...given] = process.argv;
  const args = [...hashOption(configSha256, given), ...given];
  if (!isSea()) return { exec: script, args };
  // A single executable has no script: its first argument takes the place of one.
  const [first = '', ...others] = args;
  return { exec: first, args: others };
}

/** The option that names a file's hash, unless it was given: it may be given once. */
function hashOption(sha256: string | undefined, given: readonly string[]): readonly string[] {
  const isGiven = given.some((argument) => argument.split('=', 1)[0] === HASH_OPTION);
  return sha256 === undefined || isGiven ? [] : [HASH_OPTION, sha256];
}

const HASH_OPTION = '--config-sha256';

/**
 * Closes the connections that were handed to a worker which died before it took them. Node forgets them, so their callers
 * would wait for ever. Node's messages carry a number, `seq`, which the worker acknowledges as `ack`.
 */
function closeUndelivered({ process: child }: Worker): void {
  const undelivered = new Map<unknown, unknown>();
  const original: unknown = Reflect.get(child, 'send');
  const trackAndSend = (...parts: readonly unknown[]): unknown => {
    const [message, handle] = parts;
    if (lodash.get(message, 'act') === 'newconn') undelivered.set(lodash.get(message, 'seq'), handle);
    return lodash.invoke(original, 'apply', child, parts);
  };
  Reflect.set(child, 'send', trackAndSend);
  child.on('internalMessage', (message: unknown) => undelivered.delete(lodash.get(message, 'ack')));
  child.once('exit', () => undelivered.forEach((handle) => void lodash.invoke(handle, 'close')));
}
