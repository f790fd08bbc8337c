import process from 'node:process';
import type { Process } from './program.ts';
import type { Running } from './running.ts';

/**
 * Follows the signals of a terminal, a service manager or Kubernetes. As process 1 of a container, a process ignores every
 * signal that it does not follow, so it does so from the start.
 *
 * SIGTERM and SIGHUP stop in order. SIGINT, which a person at a terminal sends, does so without `drainDelay`; a second one ends
 * the process at once. Another SIGTERM changes nothing: what stops services may well ask twice. With a log file, SIGHUP is how
 * log rotation says that it is done. SIGUSR2 has everything logged, and the next one only what is configured.
 * SIGUSR1 does nothing: by itself, Node.js would open a debugger, which reads payloads and secrets.
 *
 * @returns what has to be called: first if there is a log file, and then with what runs, once it does
 */
export function followSignals(): Pick<Process, 'logToFile' | 'run'> {
  const signals = new Signals();
  process.on('SIGTERM', () => signals.stop('SIGTERM'));
  process.on('SIGINT', () => signals.interrupt());
  process.on('SIGHUP', () => signals.hangUp());
  process.on('SIGUSR1', () => undefined);
  process.on('SIGUSR2', () => signals.toggleDebug());
  return { logToFile: () => signals.logToFile(), run: (running) => signals.run(running) };
}

class Signals {
  #running: Running | undefined;
  #logsToFile = false;
  /** Whether the log file was rotated while the service was being started. */
  #isRotated = false;
  #isStopping = false;
  #isHurried = false;
  #isDebugging = false;

  logToFile(): void {
    this.#logsToFile = true;
  }

  run(running: Running): void {
    this.#running = running;
    if (this.#isRotated) this.hangUp();
  }

  stop(signal: NodeJS.Signals): void {
    // Nothing is served yet that could be finished.
    if (this.#running === undefined)
      process.exit(128 + process.getBuiltinModule('node:os').constants.signals[signal]);
    if (this.#isStopping) return;
    this.#isStopping = true;
    void this.#running.stop(signal).then((isFinished) => process.exit(isFinished ? 0 : 1));
  }

  interrupt(): void {
    if (this.#isHurried) process.exit(1);
    this.#isHurried = true;
    this.#running?.hurry?.();
    this.stop('SIGINT');
  }

  hangUp(): void {
    if (this.#running === undefined && this.#logsToFile) this.#isRotated = true;
    else if (this.#running?.reopenLog) void this.#running.reopenLog();
    else this.stop('SIGHUP');
  }

  toggleDebug(): void {
    if (this.#running === undefined) return;
    this.#isDebugging = !this.#isDebugging;
    this.#running.setDebug?.(this.#isDebugging);
  }
}
