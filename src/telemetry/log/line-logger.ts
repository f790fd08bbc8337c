import type { Writable } from 'node:stream';
import { now } from './clock.ts';
import { Delivery } from './delivery.ts';
import { LOG_LEVELS, type LogLevel } from './level.ts';
import { leveled, type RootLogger } from './leveled.ts';
import { RENDERERS } from './render.ts';
import { streamSink, type LogSink } from './sink.ts';

/**
 * The log of a command: lines for people. To load winston would take longer than most commands run.
 *
 * @param open opens the destination of the lines; called with the first line
 */
export function createLineLogger(level: LogLevel, open: () => Writable): RootLogger {
  let least = LOG_LEVELS.indexOf(level);
  let sink: LogSink | undefined;
  let delivery: Delivery | undefined;
  let isClosed = false;
  const deliver = (line: string): void => {
    sink ??= streamSink(open());
    delivery ??= new Delivery(sink, 'text');
    delivery.write(line);
  };
  const log = leveled(
    (name, message, context, fields) =>
      deliver(RENDERERS.text({ time: now(), level: name, message, context, fields })),
    (name) => !isClosed && LOG_LEVELS.indexOf(name) <= least,
  );
  return {
    ...log,
    setLevel: (name) => {
      least = LOG_LEVELS.indexOf(name);
    },
    async close() {
      isClosed = true;
      await sink?.close();
    },
  };
}
