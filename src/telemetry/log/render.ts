import _ from 'lodash';
import { escapeUnprintable } from './escape.ts';
import type { LogFormat } from './level.ts';
import { NOT_READABLE, plainFields, plainValue, type Plain, type PlainFields } from './plain.ts';

/** The fields of an entry as they were logged. */
type Fields = Readonly<Record<string, unknown>>;

/** One entry of the log, ready to be written in any format. */
interface LogEntry {
  /** When it was logged, ISO 8601 in UTC. */
  readonly time: string;
  readonly level: string;
  readonly message: string;
  /** The fields of every entry of the same log, such as the request's id. */
  readonly context: Fields;
  /** The entry's own fields, which win. */
  readonly fields: Fields;
}

/** One line, without the line break. */
type Render = (entry: LogEntry) => string;

/** What JSON text has between quotes without any escape. Most text of a log is such. */
const UNESCAPED = /^[\x20!\x23-\x5b\x5d-\x7e]*$/u;

function quoted(text: string): string {
  return UNESCAPED.test(text) ? `"${text}"` : escapeUnprintable(JSON.stringify(text));
}

/** Written member by member: there is a line for each request, and objects in between would cost more than the line. */
function renderJson({ time, level, message, context, fields }: LogEntry): string {
  const head = `{"time":"${time}","level":"${level}","message":${quoted(message)}`;
  return `${head}${members(context, fields)}${members(fields)}}`;
}

/** @param winning fields that have the place of those of the same name */
function members(fields: Fields, winning?: Fields): string {
  try {
    let text = '';
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (value === undefined || (winning !== undefined && Object.hasOwn(winning, name))) continue;
      const beginning = beginningOf(name);
      const json = beginning === '' ? undefined : jsonValue(value);
      if (json !== undefined) text += beginning + json;
    }
    return text;
  } catch {
    return `,"fields":"${NOT_READABLE}"`;
  }
}

/** The lines of requests have the same names. What begins an entry has no other place: no field can pose as it. */
const beginnings = new Map<string, string>(['time', 'level', 'message'].map((name) => [name, '']));
const MAX_BEGINNINGS = 500;

function beginningOf(name: string): string {
  const known = beginnings.get(name);
  if (known !== undefined) return known;
  const beginning = `,${quoted(name)}:`;
  if (beginnings.size < MAX_BEGINNINGS) beginnings.set(name, beginning);
  return beginning;
}

/** @returns undefined for what is left out */
function jsonValue(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  const plain = plainValue(value, 1);
  return plain === undefined ? undefined : escapeUnprintable(JSON.stringify(plain));
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
  const own = plainFields(fields);
  const ahead = _.omit(plainFields(context), Object.keys(own));
  const parts = [time, ...renderFields(ahead), level.toUpperCase(), message, ...renderFields(own)];
  return escapeUnprintable(parts.join(' '));
}

/** How an entry becomes a line, by format. Line breaks and control characters anywhere in it are escaped. */
export const RENDERERS: Readonly<Record<LogFormat, Render>> = { json: renderJson, text: renderText };
