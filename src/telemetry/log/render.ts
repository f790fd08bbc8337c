import _ from 'lodash';
import { escapeUnprintable } from './escape.ts';
import type { LogFormat } from './level.ts';
import type { Plain, PlainFields } from './plain.ts';

/** One entry of the log, ready to be written in any format. */
export interface LogEntry {
  /** When it was logged, ISO 8601 in UTC. */
  readonly time: string;
  readonly level: string;
  readonly message: string;
  /** The fields of every entry of the same log, such as the request's id. */
  readonly context: PlainFields;
  /** The entry's own fields. */
  readonly fields: PlainFields;
}

/** One line, without the line break. */
type Render = (entry: LogEntry) => string;

function renderJson({ time, level, message, context, fields }: LogEntry): string {
  const head = { time, level, message };
  // The head comes first for the eye, and again last so that no field can pose as it.
  return escapeUnprintable(JSON.stringify({ ...head, ...context, ...fields, ...head }));
}

/** Text that needs no quotes: nothing in it can be taken for the end of a value or for another key. */
const BARE = /^[^\s"=\\]+$/u;

function renderValue(value: Plain): string {
  return typeof value === 'string' && BARE.test(value) ? value : JSON.stringify(value);
}

function renderFields(fields: PlainFields): readonly string[] {
  return Object.entries(fields).map(([name, value]) => `${renderValue(name)}=${renderValue(value)}`);
}

/** The context comes before the level, so that a message without fields ends the line. */
function renderText({ time, level, message, context, fields }: LogEntry): string {
  const ahead = _.omit(context, Object.keys(fields));
  const parts = [time, ...renderFields(ahead), level.toUpperCase(), message, ...renderFields(fields)];
  return escapeUnprintable(parts.join(' '));
}

/** How an entry becomes a line, by format. Line breaks and control characters anywhere in it are escaped. */
export const RENDERERS: Readonly<Record<LogFormat, Render>> = { json: renderJson, text: renderText };
