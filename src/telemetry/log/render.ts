import { escapeUnprintable } from './escape.ts';
import type { LogFormat } from './level.ts';
import type { Plain, PlainFields } from './plain.ts';

/** One entry of the log, ready to be written in any format. */
export interface LogEntry {
  /** When it was logged, ISO 8601 in UTC. */
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly fields: PlainFields;
}

/** One line, without the line break. */
type Render = (entry: LogEntry) => string;

function renderJson({ time, level, message, fields }: LogEntry): string {
  const head = { time, level, message };
  // The head comes first for the eye, and again last so that no field can pose as it.
  return escapeUnprintable(JSON.stringify({ ...head, ...fields, ...head }));
}

/** Text that needs no quotes: nothing in it can be taken for the end of a value or for another key. */
const BARE = /^[^\s"=\\]+$/u;

function renderValue(value: Plain): string {
  return typeof value === 'string' && BARE.test(value) ? value : JSON.stringify(value);
}

const LEVEL_WIDTH = 5;

function renderText({ time, level, message, fields }: LogEntry): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${renderValue(name)}=${renderValue(value)}`);
  return escapeUnprintable([time, level.toUpperCase().padEnd(LEVEL_WIDTH), message, ...pairs].join(' '));
}

/** How an entry becomes a line, by format. Line breaks and control characters anywhere in it are escaped. */
export const RENDERERS: Readonly<Record<LogFormat, Render>> = { json: renderJson, text: renderText };
