import { createLogger } from '../../../src/telemetry/log/logger.ts';
import type { RootLogger } from '../../../src/telemetry/log/leveled.ts';
import type { LogFormat, LogLevel } from '../../../src/telemetry/log/level.ts';
import type { LogSink } from '../../../src/telemetry/log/sink.ts';

/** A sink that keeps its lines, and refuses them for as long as it is told to. */
class MemorySink implements LogSink {
  readonly lines: string[] = [];
  lost = 0;
  failing = false;
  closed = false;

  write(line: string): void {
    if (this.failing) this.lost += 1;
    else this.lines.push(line);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

interface LoggerInMemory {
  readonly logger: RootLogger;
  readonly sink: MemorySink;
}

export function loggerInMemory(format: LogFormat = 'json', level: LogLevel = 'info'): LoggerInMemory {
  const sink = new MemorySink();
  return { logger: createLogger({ level, format, sink }), sink };
}

/** What the format makes of one entry, without the time at its beginning. */
export async function textOf(message: string, fields?: Readonly<Record<string, unknown>>): Promise<string> {
  const { logger, sink } = loggerInMemory('text');
  logger.info(message, fields);
  await logger.close();
  return sink.lines.join('\n').replace(/^\S+ /, '');
}

/** The one line that an entry becomes as JSON. */
export async function jsonOf(message: string, fields?: Readonly<Record<string, unknown>>): Promise<string> {
  const { logger, sink } = loggerInMemory('json');
  logger.info(message, fields);
  await logger.close();
  return sink.lines.join('\n');
}
