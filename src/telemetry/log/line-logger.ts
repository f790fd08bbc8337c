import type { Writable } from 'node:stream';
import { now } from './clock.ts';
import { Delivery } from './delivery.ts';
import { LOG_LEVELS, type LogLevel } from './level.ts';
import { leveled, type RootLogger } from './leveled.ts';
import { RENDERERS } from './render.ts';
import { streamSink, type LogSink } from './sink.ts';

/** Where the lines go. */
interface Destination {
  /** Writes what it takes at once. @returns how many bytes that is */
  readonly writeNow: (bytes: Uint8Array) => number;
  /** Opens it as a stream, which is needed only if it does not take a line at once. */
  readonly open: () => Writable;
}

/** The log of a command: lines for people. To load winston would take longer than most commands run. */
export function createLineLogger(level: LogLevel, destination: Destination): RootLogger {
  let least = LOG_LEVELS.indexOf(level);
  const sink = new LineSink(destination);
  const delivery = new Delivery(sink, 'text');
  let isClosed = false;
  const log = leveled(
    (name, message, context, fields) =>
      delivery.write(RENDERERS.text({ time: now(), level: name, message, context, fields })),
    (name) => !isClosed && LOG_LEVELS.indexOf(name) <= least,
  );
  return {
    ...log,
    setLevel: (name) => {
      least = LOG_LEVELS.indexOf(name);
    },
    async close() {
      isClosed = true;
      await sink.close();
    },
  };
}

/** Writes each line at once, as long as the destination takes it. */
class LineSink implements LogSink {
  readonly #destination: Destination;
  #sink: LogSink | undefined;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  get lost(): number {
    return this.#sink?.lost ?? 0;
  }

  write(line: string): void {
    if (this.#sink) {
      this.#sink.write(line);
      return;
    }
    const { writeNow, open } = this.#destination;
    const bytes = Buffer.from(`${line}\n`);
    const rest = bytes.subarray(writeNow(bytes));
    if (rest.length === 0) return;
    const stream = open();
    this.#sink = streamSink(stream);
    stream.write(rest);
  }

  async close(): Promise<void> {
    await this.#sink?.close();
  }
}
