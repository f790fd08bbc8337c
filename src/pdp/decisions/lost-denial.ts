import { objectsIn } from './json-answer.ts';
import { notUnderstood, type JsonPointer } from './not-understood.ts';
import { lettersOf } from './letters.ts';
import type { Members } from './recognized-parts.ts';

/** What other protocols and policies permit and deny with, by its letters. */
const PERMITS: ReadonlySet<string> = new Set([
  'allow',
  'allowed',
  'authorized',
  'decision',
  'effect',
  'granted',
  'isallowed',
  'isauthorized',
  'ispermitted',
  'permit',
  'permitted',
  'result',
]);
const DENIALS: ReadonlySet<string> = new Set(['deny', 'denied', 'forbidden', 'isdenied', 'refused']);
/** What they say in a text. */
const NO: ReadonlySet<string> = new Set(['false', 'no', 'deny', 'denied', 'effectdeny']);
const YES: ReadonlySet<string> = new Set(['true', 'yes']);

/** Whether a member of this name may deny. */
export function mayDeny(name: string): boolean {
  const called = lettersOf(name);
  return PERMITS.has(called) || DENIALS.has(called);
}

/**
 * Refuses a denial in a member that is not read.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refuseDenial(name: string, value: unknown, place: JsonPointer): void {
  if (denies(name, value)) throw lostDenial([...place, name]);
}

/**
 * Refuses a denial in a part of an answer that is not read, however deep.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function refuseDenialsIn(value: unknown, place: JsonPointer): void {
  for (const { object, place: at } of objectsIn(value, place))
    for (const [name, member] of Object.entries(object))
      if (denies(name, member)) throw lostDenial([...at(), name]);
}

function denies(name: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'boolean') return false;
  const called = lettersOf(name);
  const denials = PERMITS.has(called) ? NO : DENIALS.has(called) ? YES : undefined;
  return denials?.has(lettersOf(String(value))) === true;
}

function lostDenial(place: JsonPointer): Error {
  return notUnderstood('a denial in a part that is not read', place);
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Refuses the members of an object that are not read, and deny.
 *
 * @param read the names of those that are read
 * @throws ServiceError `decision-not-understood`
 */
export function refuseDenials(part: Members, place: JsonPointer, read: ReadonlySet<string> = NOTHING): void {
  for (const [name, value] of Object.entries(part)) if (!read.has(name)) refuseDenial(name, value, place);
}
